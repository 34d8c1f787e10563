/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include "e2e/e2e.h"

/* A cell with keys, made for this test with the rights that are shipped (make_keystore.sh), and a
 * stranger without. */

#define BALLS "-p model:=model.urdf -p rate:=500.0 "
#define ENCLAVE "--enclave /closest_point_monitor "

static char folder[512];

/* The enclave of this process and of the publisher, as DDS is configured with it. */
static void secure_the_wire(void)
{
  static const char *const plugins[][3] = {{"Authentication", "auth", "authentication"},
                                           {"Cryptographic", "crypto", "crypto"},
                                           {"AccessControl", "ac", "access_control"}};
  char libraries[3][512], text[8000];
  for (int k = 0; k < 3; ++k)
    snprintf(libraries[k], sizeof libraries[k],
             "<Library path=\"%s/libdds_security_%s.so\" initFunction=\"init_%s\" "
             "finalizeFunction=\"finalize_%s\"/>",
             getenv("DDS_PLUGINS"), plugins[k][1], plugins[k][2], plugins[k][2]);
  snprintf(text, sizeof text,
           "<CycloneDDS><Domain><Security><Authentication>%s"
           "<IdentityCA>file:%s/keys/enclaves/cell/identity_ca.cert.pem</IdentityCA>"
           "<IdentityCertificate>file:%s/keys/enclaves/cell/cert.pem</IdentityCertificate>"
           "<PrivateKey>file:%s/keys/enclaves/cell/key.pem</PrivateKey></Authentication>"
           "<Cryptographic>%s</Cryptographic><AccessControl>%s"
           "<PermissionsCA>file:%s/keys/enclaves/cell/permissions_ca.cert.pem</PermissionsCA>"
           "<Governance>file:%s/keys/enclaves/cell/governance.p7s</Governance>"
           "<Permissions>file:%s/keys/enclaves/cell/permissions.p7s</Permissions>"
           "</AccessControl></Security></Domain></CycloneDDS>",
           libraries[0], folder, folder, folder, libraries[1], libraries[2], folder, folder,
           folder);
  setenv("WIRE_CONFIGURATION", text, 1);
}

static void secure_the_monitor(const char *keystore)
{
  char text[1024];
  const char *before = getenv("LD_LIBRARY_PATH");
  snprintf(text, sizeof text, "%s/%s", folder, keystore);
  setenv("ROS_SECURITY_ENABLE", "true", 1);
  setenv("ROS_SECURITY_STRATEGY", "Enforce", 1);
  setenv("ROS_SECURITY_KEYSTORE", text, 1);
  snprintf(text, sizeof text, "%s%s%s", getenv("DDS_PLUGINS"), before ? ":" : "",
           before ? before : "");
  if (!*getenv("MONITOR_COMMAND")) /* rmw looks where the linker does */
    setenv("LD_LIBRARY_PATH", text, 1);
}

static void enter(void)
{
  enter_folder();
  write_balls();
  choose_domain();
  ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
  ck_assert_int_eq(system("\"$MAKE_KEYSTORE\" " CONFIG_DIR "/security keys >keys.log 2>&1"), 0);
}

/* ---- A stranger --------------------------------------------------------------------------- */

/* Tells of the tool where it is not, and listens. Ends when it is told to, and says whether it has
 * been heard of or has heard anything. */
static volatile sig_atomic_t told_to_end;

static void end(int signal_number)
{
  (void)signal_number;
  told_to_end = 1;
}

static bool has_heard(dds_entity_t reader)
{
  void *sample = NULL;
  dds_sample_info_t info;
  int32_t count = dds_take(reader, &sample, &info, 1, 1);
  if (count > 0)
    dds_return_loan(reader, &sample, count);
  return count > 0;
}

static pid_t start_stranger(void)
{
  pid_t child = fork();
  if (child != 0)
    return child;
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  join_wire();
  dds_entity_t tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false, 100);
  dds_entity_t safety = endpoint("rt" NODE "/safety",
                                 &rclc_closest_point_msg_dds__SafetyStatus__desc, false, false, 1);
  char world[] = "world", tool[] = "tool";
  bool met = false;
  while (!told_to_end) {
    int64_t stamp = now();
    geometry_msgs_msg_dds__TransformStamped_ m = {
        .header = {{(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, world},
        .child_frame_id = tool,
        .transform = {{9, 0, 0}, {0, 0, 0, 1}}};
    tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {1, 1, &m, false}};
    dds_write(tf, &message);
    dds_publication_matched_status_t matched = {.current_count = 0};
    dds_get_publication_matched_status(tf, &matched);
    met |= matched.current_count > 0 || has_heard(safety);
    rest(5);
  }
  _exit(met ? 1 : 0);
}

/* What the stranger reports when it is ended beside a monitor that has been given so long. */
static void expect_stranger(pid_t stranger, bool met)
{
  ck_assert_int_eq(stop_process(stranger, SIGTERM), met ? 1 : 0);
}

/* ---- Tests -------------------------------------------------------------------------------- */

SUITE("e2e_security");

FIXTURE_CASE("security", 60, enter, leave_folder);

/* Everything works with keys and the least rights, and nothing without. */
TEST(a_stranger_is_neither_heard_nor_served)
{
  pid_t stranger = start_stranger();
  secure_the_wire();
  join_wire();
  ear e = listen_to(NODE);
  source s = start_source();
  secure_the_monitor("keys");
  pid_t monitor = start_monitor(BALLS ENCLAVE);
  move_balls(&s);
  wait_for(&e, is_right, "the right distance among those who have keys");
  expect_safety(&e, 0, "clear");
  for (long heard = e.heard; e.heard < heard + 1000;)
    wait_for(&e, is_right, "the right distance beside a stranger");
  expect_safety(&e, 0, "clear");
  expect_stranger(stranger, false);
  char said[8192];
  end_monitor(monitor);
  expect_safety(&e, 2, "shutting down");
  read_whole("err", said, sizeof said);
  ck_assert_msg(!strstr(said, "fail"), "%s", said);
  end_source(&s);
  leave_wire();
}

/* The same stranger beside a monitor without security is heard, and served: what the test above
 * says is worth something. */
TEST(without_security_anybody_is)
{
  pid_t stranger = start_stranger();
  join_wire();
  ear e = listen_to(NODE);
  source s = start_source();
  pid_t monitor = start_monitor(BALLS);
  move_balls(&s);
  expect_safety(&e, 2, "frame tool is told of by two publishers");
  expect_stranger(stranger, true);
  end_monitor(monitor);
  end_source(&s);
  leave_wire();
}

/* Enforced, nothing goes on without keys. */
TEST(no_keys_no_monitor)
{
  char said[8192];
  secure_the_monitor("nothing");
  pid_t monitor = start_monitor(BALLS ENCLAVE);
  int status = 0;
  ck_assert_int_eq(waitpid(monitor, &status, 0), monitor);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  read_whole("err", said, sizeof said);
  ck_assert_msg(strstr(said, "nothing/enclaves/closest_point_monitor"), "%s", said);
  setenv("ROS_SECURITY_STRATEGY", "Permissive", 1);
  unsetenv("WIRE_CONFIGURATION");
  join_wire();
  ear e = listen_to(NODE);
  monitor = start_monitor(BALLS ENCLAVE);
  wait_for(&e, is_any, "a sign of life without security");
  end_monitor(monitor);
  leave_wire();
}
