/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/tool/live_page.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What is bound and let go again. */
static int try_port(int port)
{
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int found = 0, enable = 1, trial = socket(AF_INET, SOCK_STREAM, 0);
  if (trial < 0)
    return 0;
  (void)setsockopt(trial, SOL_SOCKET, SO_REUSEADDR, &enable, sizeof enable);
  if (bind(trial, (const struct sockaddr *)&address, size) == 0 && listen(trial, 1) == 0 &&
      getsockname(trial, (struct sockaddr *)&address, &size) == 0)
    found = ntohs(address.sin_port);
  close(trial);
  return found;
}

int clp_free_port(int port)
{
  int found = try_port(port);
  return found > 0 ? found : try_port(0);
}

#ifdef CLP_VIEW
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/tool/progress.h"
#include "rclc_closest_point/view/feed.h"
#include "rclc_closest_point/view/playback.h"

/* ---- The address -------------------------------------------------------------------------- */

typedef struct address_text {
  char text[160];
} address_text;

/* Where every interface is listened on the loopback one is as good as any, here. */
static address_text address_of(const clp_access *access)
{
  address_text url;
  const char *host = access->address;
  bool any = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0,
       six = strchr(host, ':') != NULL;
  if (any)
    host = six ? "::1" : "127.0.0.1";
  snprintf(url.text, sizeof url.text, "http://%s%s%s:%d/%s%s", six ? "[" : "", host, six ? "]" : "",
           access->port, *access->token ? "?" CLP_TOKEN_NAME "=" : "", access->token);
  return url;
}

static void print_address(const clp_access *access)
{
  printf("%s\n", address_of(access).text);
  fflush(stdout);
}

/* By the command that desktops have for it, or the one that the user names; with no shell between.
 */
static void open_browser(const clp_access *access)
{
  const char *browser = getenv("BROWSER");
  pid_t pid = fork();
  if (pid != 0)
    return;
  address_text url = address_of(access);
  const char *const command = browser && *browser ? browser : "xdg-open";
  execlp(command, command, url.text, (char *)NULL);
  fprintf(stderr, "closest_point: there is no %s, open the address by hand\n", command);
  _exit(1);
}

/* ---- Serving ------------------------------------------------------------------------------ */

static clp_status access_of(const clp_live_page_options *options, clp_model_sink sink,
                            clp_access *access)
{
  *access = (clp_access){.port = 0};
  if (!clp_access_set_address(access, options->address, options->port)) {
    char line[160];
    snprintf(line, sizeof line, "--bind %.64s is no address: expected digits as 127.0.0.1 or ::1",
             options->address);
    sink.message(sink.user, CLP_DEFECT, line);
    return CLP_ERROR_FORMAT;
  }
  if (access->loopback && !options->token)
    return CLP_OK;
  if (clp_access_make_token(access))
    return CLP_OK;
  sink.message(sink.user, CLP_DEFECT, "the system has no random numbers for a token");
  return CLP_ERROR_FILE;
}

static void tell_and_run(const clp_live_page_options *options, clp_server *server)
{
  if (!options->quiet_address)
    print_address(clp_server_access(server));
  if (options->open)
    open_browser(clp_server_access(server));
  clp_server_run(server, clp_must_stop);
}

static void update(void *user)
{
  clp_feed **feed = user;
  if (*feed)
    clp_feed_update(*feed);
}

static clp_status serve(const clp_live_page_options *options, clp_tap *tap,
                        const clp_access *access, clp_model_sink sink)
{
  clp_feed *feed = NULL;
  clp_server *server = NULL;
  const clp_server_options server_options = {
      .name = "closest_point view", .access = *access, .tick = update, .user = &feed, .sink = sink};
  clp_status status = clp_server_open(&server_options, &server);
  if (status == CLP_OK)
    status = clp_feed_create(tap, server, &feed);
  if (status == CLP_OK)
    tell_and_run(options, server);
  clp_feed_destroy(feed);
  clp_server_close(server);
  return status;
}

static clp_status listen_and_serve(const clp_live_page_options *options,
                                   const clp_ros_arguments *arguments, const clp_access *access,
                                   clp_model_sink sink)
{
  clp_tap *tap = NULL;
  const clp_tap_options tap_options = {
      .monitor = options->monitor, .arguments = arguments, .sink = sink};
  clp_status status = clp_tap_open(&tap_options, &tap);
  if (status == CLP_OK)
    status = serve(options, tap, access, sink);
  clp_tap_close(tap);
  return status;
}

/* ---- A recording -------------------------------------------------------------------------- */

static void update_playback(void *user)
{
  clp_playback **playback = user;
  if (*playback)
    clp_playback_update(*playback);
}

static void obey_control(void *user, clp_control control, uint32_t value)
{
  clp_playback **playback = user;
  if (*playback)
    clp_playback_obey(*playback, control, value);
}

static void show_progress(void *user, double part)
{
  clp_progress_show(user, (long)(1000 * part));
}

static clp_status serve_recording(const clp_live_page_options *options, clp_recording *recording,
                                  const clp_access *access, clp_model_sink sink)
{
  clp_playback *playback = NULL;
  clp_server *server = NULL;
  const clp_server_options server_options = {.name = "closest_point view",
                                             .access = *access,
                                             .tick = update_playback,
                                             .user = &playback,
                                             .sink = sink,
                                             .playing = {obey_control, &playback}};
  clp_status status = clp_server_open(&server_options, &server);
  if (status == CLP_OK)
    status = clp_playback_create(recording, server, &playback);
  if (status == CLP_OK)
    tell_and_run(options, server);
  clp_playback_destroy(playback);
  clp_server_close(server);
  return status;
}

clp_exit_status clp_run_recorded_page(const char *file, const clp_live_page_options *options,
                                      bool quiet, clp_model_sink sink)
{
  clp_signals before;
  clp_access access;
  clp_status status = access_of(options, sink, &access);
  if (status != CLP_OK)
    return status == CLP_ERROR_FORMAT ? EXIT_USAGE : EXIT_INTERNAL;
  clp_recording *recording = malloc(sizeof *recording);
  if (!recording)
    return clp_exit_status_of(CLP_ERROR_MEMORY);
  clp_progress progress = clp_progress_begin("view", 1000, quiet);
  const clp_recording_options reading = {file, options->monitor, sink, show_progress, &progress};
  status = clp_recording_open(&reading, recording);
  clp_progress_hide(&progress);
  if (status == CLP_OK) {
    clp_catch_signals(&before);
    status = serve_recording(options, recording, &access, sink);
    clp_restore_signals(&before);
    clp_recording_close(recording);
  }
  free(recording);
  return clp_exit_status_of(status);
}

/* ---- What is live ------------------------------------------------------------------------- */

clp_exit_status clp_run_live_page(const clp_live_page_options *options, clp_model_sink sink)
{
  clp_signals before;
  clp_access access;
  clp_ros_arguments arguments;
  clp_status status = access_of(options, sink, &access);
  if (status != CLP_OK)
    return status == CLP_ERROR_FORMAT ? EXIT_USAGE : EXIT_INTERNAL;
  status = clp_ros_arguments_read(0, NULL, "closest_point_view", sink, &arguments);
  if (status != CLP_OK)
    return clp_exit_status_of(status);
  clp_catch_signals(&before);
  status = listen_and_serve(options, &arguments, &access, sink);
  clp_restore_signals(&before);
  clp_ros_arguments_release(&arguments);
  return clp_exit_status_of(status);
}

bool clp_has_live_page(void)
{
  return true;
}

#else

static clp_exit_status refuse(clp_model_sink sink)
{
  sink.message(sink.user, CLP_DEFECT,
               "closest_point has been built without libwebsockets, which a view needs");
  return EXIT_INPUT;
}

clp_exit_status clp_run_live_page(const clp_live_page_options *options, clp_model_sink sink)
{
  (void)options;
  return refuse(sink);
}

clp_exit_status clp_run_recorded_page(const char *file, const clp_live_page_options *options,
                                      bool quiet, clp_model_sink sink)
{
  (void)file;
  (void)options;
  (void)quiet;
  return refuse(sink);
}

bool clp_has_live_page(void)
{
  return false;
}

#endif
