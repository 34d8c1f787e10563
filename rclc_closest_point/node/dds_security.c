/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* dladdr */

#include "rclc_closest_point/node/dds_security.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rclc_closest_point/model/log.h"

#define PATH_MAX_LENGTH 1024

typedef struct security {
  dds_qos_t *qos;
  clp_model_sink sink;
  bool enforced;
  char folder[PATH_MAX_LENGTH]; /* of the enclave */
} security;

static const char *environment(const char *name)
{
  const char *value = getenv(name);
  return value ? value : "";
}

clp_enclave clp_dds_enclave(const clp_ros_arguments *arguments)
{
  clp_enclave enclave;
  const char *other = environment("ROS_SECURITY_ENCLAVE_OVERRIDE");
  snprintf(enclave.text, sizeof enclave.text, "%s",
           *other                ? other
           : *arguments->enclave ? arguments->enclave
                                 : "/");
  return enclave;
}

/* What is wrong ends it, or is noted. */
static clp_status miss(const security *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static clp_status miss(const security *s, const char *format, ...)
{
  char what[2 * PATH_MAX_LENGTH + 64], line[2 * PATH_MAX_LENGTH + 128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(line, sizeof line, "security: %s%s", what,
           s->enforced ? "" : "; it goes on without security");
  if (s->sink.message)
    s->sink.message(s->sink.user, s->enforced ? CLP_DEFECT : CLP_NOTE, line);
  return s->enforced ? CLP_ERROR_FILE : CLP_OK;
}

/* ---- What there has to be ----------------------------------------------------------------- */

typedef struct key_file {
  const char *property, *name;
} key_file;

static const key_file files[] = {{"dds.sec.auth.identity_ca", "identity_ca.cert.pem"},
                                 {"dds.sec.auth.identity_certificate", "cert.pem"},
                                 {"dds.sec.auth.private_key", "key.pem"},
                                 {"dds.sec.access.permissions_ca", "permissions_ca.cert.pem"},
                                 {"dds.sec.access.governance", "governance.p7s"},
                                 {"dds.sec.access.permissions", "permissions.p7s"}};
static const key_file revoked = {"org.eclipse.cyclonedds.sec.auth.crl", "crl.pem"};
enum { FILES = sizeof files / sizeof *files };

static bool find_file(const security *s, const char *name, char path[2 * PATH_MAX_LENGTH])
{
  snprintf(path, 2 * PATH_MAX_LENGTH, "file:%s/%s", s->folder, name);
  return access(path + strlen("file:"), R_OK) == 0;
}

static void set_file(const security *s, const key_file *file)
{
  char path[2 * PATH_MAX_LENGTH];
  if (find_file(s, file->name, path))
    dds_qset_prop(s->qos, file->property, path);
}

/* Debian keeps the plugins in a folder beside DDS's library where the linker does not look; others
 * keep them where it does. */
static void set_plugin(const security *s, const char *part, const char *plugin, const char *call)
{
  Dl_info library;
  char path[2 * PATH_MAX_LENGTH], property[64], function[64];
  union {
    dds_entity_t (*function)(dds_domainid_t, const dds_qos_t *, const dds_listener_t *);
    void *address;
  } place = {dds_create_participant};
  const char *end = dladdr(place.address, &library) != 0 ? strrchr(library.dli_fname, '/') : NULL;
  if (end)
    snprintf(path, sizeof path, "%.*s/libddsc0debian/libdds_security_%s.so",
             (int)(end - library.dli_fname), library.dli_fname, plugin);
  if (!end || access(path, R_OK) != 0)
    snprintf(path, sizeof path, "dds_security_%s", plugin);
  snprintf(property, sizeof property, "dds.sec.%s.library.path", part);
  dds_qset_prop(s->qos, property, path);
  snprintf(property, sizeof property, "dds.sec.%s.library.init", part);
  snprintf(function, sizeof function, "init_%s", call);
  dds_qset_prop(s->qos, property, function);
  snprintf(property, sizeof property, "dds.sec.%s.library.finalize", part);
  snprintf(function, sizeof function, "finalize_%s", call);
  dds_qset_prop(s->qos, property, function);
}

static clp_status set_up(const security *s)
{
  char path[2 * PATH_MAX_LENGTH];
  for (int k = 0; k < FILES; ++k)
    if (!find_file(s, files[k].name, path))
      return miss(s, "%s: the file cannot be read", path + strlen("file:"));
  for (int k = 0; k < FILES; ++k)
    set_file(s, &files[k]);
  set_file(s, &revoked);
  set_plugin(s, "auth", "auth", "authentication");
  set_plugin(s, "crypto", "crypto", "crypto");
  set_plugin(s, "access", "ac", "access_control");
  return CLP_OK;
}

clp_status clp_dds_secure(dds_qos_t *qos, const clp_ros_arguments *arguments, clp_model_sink sink)
{
  const char *enable = environment("ROS_SECURITY_ENABLE");
  const char *keystore = environment("ROS_SECURITY_KEYSTORE");
  security s = {.qos = qos, .sink = sink};
  s.enforced = strcmp(environment("ROS_SECURITY_STRATEGY"), "Enforce") == 0;
  if (!*enable || strcmp(enable, "false") == 0)
    return CLP_OK;
  if (strcmp(enable, "true") != 0) { /* which somebody meant to be something */
    s.enforced = true;
    (void)miss(&s, "ROS_SECURITY_ENABLE is '%s', expected true or false",
               clp_show_string(enable).text);
    return CLP_ERROR_ARGUMENT;
  }
  if (!*keystore)
    return miss(&s, "ROS_SECURITY_KEYSTORE is empty, expected the folder with the keys");
  clp_enclave enclave = clp_dds_enclave(arguments);
  int length = snprintf(s.folder, sizeof s.folder, "%s/enclaves%s%s", keystore,
                        *enclave.text == '/' ? "" : "/", enclave.text);
  if (length < 0 || (size_t)length >= sizeof s.folder)
    return miss(&s, "ROS_SECURITY_KEYSTORE is longer than a path may be");
  return set_up(&s);
}
