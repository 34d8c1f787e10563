/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction, setenv, readlink */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rclc_closest_point/node/node_dds.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/tool/child.h"
#include "rclc_closest_point/tool/demo_listener.h"
#include "rclc_closest_point/tool/demo_page.h"
#include "rclc_closest_point/tool/demo_simulator.h"
#include "rclc_closest_point/tool/live_page.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"
#include "rclc_closest_point/tool/pair_options.h"
#include "rclc_closest_point/tool/terminal.h"

#define FRAME 66       /* ms */
#define PATIENCE 30    /* s until the first answer */
#define SETTLING 1.5   /* s until the arm has started, and cycles have been counted */
#define DOMAIN_MAX 101 /* beyond it, ports may be those of other programs */
#define DOMAINS 20     /* of these one is taken: people use the low ones */

enum { SIMULATOR, MONITOR, NEEDED, VIEW = NEEDED, CHILDREN };

typedef struct demo {
  char model[PATH_MAX], params[PATH_MAX];
  bool once, quiet, viewless, open;
  bool refused;     /* a process has ended for what it has read */
  int domain, port; /* port 0: there is no view */
  double seconds;   /* 0: until it is ended */
  clp_settings settings;
  clp_ros_arguments arguments;
  clp_model_sink sink;
  clp_child children[CHILDREN];
  clp_demo_listener listener;
  clp_page page;
  clp_terminal terminal;
  bool on_screen, utf8, color;
  int64_t begin, live_since;
  long lines; /* printed, where there is no screen */
} demo;

/* ---- Files -------------------------------------------------------------------------------- */

/* A shared file, from where this program stands: installed as bin/ or as lib/PACKAGE/, or built. */
static bool find_shared(const char *name, char path[PATH_MAX])
{
  static const char *const shares[] = {"/../share/rclc_closest_point",
                                       "/../../share/rclc_closest_point"};
  char folder[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  folder[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(folder, '/');
  if (slash)
    *slash = '\0';
  for (size_t k = 0; slash && k < sizeof shares / sizeof *shares; ++k)
    if (snprintf(path, PATH_MAX, "%s%s/%s", folder, shares[k], name) < PATH_MAX &&
        access(path, R_OK) == 0)
      return true;
  return snprintf(path, PATH_MAX, "%s/%s", CLP_SOURCE_FOLDER, name) < PATH_MAX &&
         access(path, R_OK) == 0;
}

static clp_exit_status find_files(demo *d, const char *params)
{
  const char *missing = NULL;
  if (!find_shared("urdf_patches/cell_with_arm.urdf", d->model))
    missing = "urdf_patches/cell_with_arm.urdf";
  else if (params)
    snprintf(d->params, sizeof d->params, "%s", params);
  else if (!find_shared("config/arm_cell.yaml", d->params))
    missing = "config/arm_cell.yaml";
  if (!missing)
    return EXIT_DONE;
  fprintf(stderr, "closest_point: cannot find %s, expected it with the installed files\n", missing);
  return EXIT_INPUT;
}

/* ---- Processes ---------------------------------------------------------------------------- */

static int run_simulator(void *context)
{
  demo *d = context;
  return (int)clp_exit_status_of(clp_run_demo_simulator(d->model, d->sink));
}

static int run_monitor(void *context)
{
  demo *d = context;
  return (int)clp_exit_status_of(clp_run_dds_node(&d->settings, &d->arguments, d->sink));
}

static int run_view(void *context)
{
  demo *d = context;
  clp_live_page_options options = CLP_LIVE_PAGE_DEFAULT;
  options.port = d->port;
  options.open = d->open;
  options.quiet_address = true;
  return (int)clp_run_live_page(&options, d->sink);
}

/* Loopback alone, in a domain that nothing else is in: the transforms of a simulated arm are not to
 * reach anybody who has a real one. */
static void keep_to_ourselves(const demo *d)
{
  char domain[16];
  snprintf(domain, sizeof domain, "%d", d->domain);
  setenv("ROS_DOMAIN_ID", domain, 1);
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  unsetenv("CYCLONEDDS_URI");
}

static clp_exit_status start_children(demo *d)
{
  keep_to_ourselves(d);
  bool started = clp_child_start(&d->children[SIMULATOR], "simulator", run_simulator, d) &&
                 clp_child_start(&d->children[MONITOR], "monitor", run_monitor, d);
  if (started && clp_has_live_page() && !d->once && !d->viewless) {
    d->port = clp_free_port(CLP_VIEW_PORT);
    started = d->port == 0 || clp_child_start(&d->children[VIEW], "view", run_view, d);
  }
  if (started)
    return EXIT_DONE;
  perror("closest_point: fork");
  return EXIT_INTERNAL;
}

/* ---- What is to be seen ------------------------------------------------------------------- */

static double seconds_since(int64_t time)
{
  return 1e-9 * (double)(clp_steady_now() - time);
}

/* The demonstration goes on without it. */
static bool is_viewed(demo *d)
{
  return d->port > 0 && clp_child_runs(&d->children[VIEW]);
}

static void show_screen(demo *d)
{
  char footer[160];
  int columns, rows;
  clp_terminal_size(&columns, &rows);
  clp_page_begin(&d->page, columns, rows, d->color, d->utf8);
  char address[48] = "";
  if (is_viewed(d))
    snprintf(address, sizeof address, "http://127.0.0.1:%d/    ", d->port);
  snprintf(footer, sizeof footer, " q quits    %sROS_DOMAIN_ID=%d ROS_LOCALHOST_ONLY=1", address,
           d->domain);
  clp_demo_fill_page(&d->page, &d->listener.news, footer);
  clp_terminal_show(&d->terminal, &d->page);
}

static void print_frame(demo *d)
{
  int columns = 80, rows;
  if (isatty(STDOUT_FILENO))
    clp_terminal_size(&columns, &rows);
  clp_page_begin(&d->page, columns, 0, d->color, d->utf8);
  clp_demo_fill_page(&d->page, &d->listener.news, NULL);
  fputs(d->page.text, stdout);
}

/* A line each second. */
static void print_line(demo *d)
{
  double time = seconds_since(d->live_since);
  if (time < (double)d->lines)
    return;
  ++d->lines;
  clp_page_begin(&d->page, 120, 0, d->color, d->utf8);
  clp_demo_fill_line(&d->page, &d->listener.news, time);
  fputs(d->page.text, stdout);
  fflush(stdout);
}

static void show(demo *d)
{
  if (d->on_screen)
    show_screen(d);
  else if (d->live_since > 0 && !d->once)
    print_line(d);
}

/* ---- The loop ----------------------------------------------------------------------------- */

static bool is_over(const demo *d)
{
  if (clp_must_stop() || clp_terminal_is_lost() || ferror(stdout))
    return true;
  if (d->live_since == 0)
    return false;
  double enough = d->once ? SETTLING : d->seconds;
  return enough > 0 && seconds_since(d->live_since) >= enough;
}

/* NULL: all is well. */
static const char *find_failure(demo *d, char *text, size_t room)
{
  for (int k = 0; k < NEEDED; ++k) {
    clp_child *child = &d->children[k];
    if (clp_child_runs(child))
      continue;
    d->refused = child->status == EXIT_INPUT;
    snprintf(text, room, "the %s has ended with status %d", child->name, child->status);
    return text;
  }
  if (d->live_since > 0 || seconds_since(d->begin) < PATIENCE)
    return NULL;
  const char *reason = d->listener.news.reason;
  snprintf(text, room, "no %s from the monitor within %d s%s%s", *reason ? "distance" : "answer",
           PATIENCE, *reason ? ": " : "", reason);
  return text;
}

static const char *run_loop(demo *d, char *text, size_t room)
{
  const char *failure = NULL;
  bool quit = false;
  while (!quit && !failure && !is_over(d)) {
    quit = clp_terminal_wait(&d->terminal, FRAME);
    clp_demo_listener_update(&d->listener);
    if (d->listener.news.live && d->live_since == 0)
      d->live_since = clp_steady_now();
    failure = is_over(d) ? NULL : find_failure(d, text, room);
    show(d);
  }
  return failure;
}

static clp_exit_status watch(demo *d)
{
  char text[256];
  d->begin = clp_steady_now();
  if (d->on_screen)
    clp_terminal_enter(&d->terminal);
  else if (is_viewed(d))
    printf("view: http://127.0.0.1:%d/\n", d->port);
  const char *failure = run_loop(d, text, sizeof text);
  if (d->on_screen)
    clp_terminal_leave(&d->terminal);
  if (failure) {
    fprintf(stderr, "closest_point: %s\n", failure);
    return d->refused ? EXIT_INPUT : EXIT_INTERNAL;
  }
  if (d->once && d->live_since > 0)
    print_frame(d);
  return EXIT_DONE;
}

static clp_exit_status run_processes(demo *d)
{
  clp_signals before;
  clp_muted muted = clp_mute_errors();
  clp_exit_status status = start_children(d);
  clp_catch_signals(&before);
  if (status == EXIT_DONE)
    status = clp_exit_status_of(clp_demo_listener_open(&d->listener, d->sink));
  if (status == EXIT_DONE) {
    status = watch(d);
    clp_demo_listener_close(&d->listener);
  }
  clp_children_stop(d->children, CHILDREN);
  clp_restore_signals(&before);
  clp_release_errors(&muted, status != EXIT_DONE);
  return status;
}

/* ---- The command -------------------------------------------------------------------------- */

static clp_exit_status read_settings(demo *d)
{
  clp_status status = clp_ros_arguments_read(0, NULL, CLP_NODE_NAME, d->sink, &d->arguments);
  if (status == CLP_OK)
    status = clp_settings_create(&d->settings);
  if (status == CLP_OK)
    status = clp_settings_read_file(&d->settings, d->params, "/" CLP_NODE_NAME, d->sink);
  return clp_exit_status_of(status);
}

static clp_exit_status run_demo(demo *d, const char *params)
{
  clp_output output = clp_output_open(NULL);
  clp_exit_status status = find_files(d, params);
  if (status == EXIT_DONE)
    status = read_settings(d);
  d->utf8 = clp_terminal_has_utf8();
  d->color = clp_terminal_has_color();
  d->on_screen = !d->once && clp_terminal_is_there();
  if (status == EXIT_DONE)
    status = run_processes(d);
  clp_settings_release(&d->settings);
  clp_ros_arguments_release(&d->arguments);
  clp_exit_status written = clp_output_close(&output);
  return status == EXIT_DONE ? written : status;
}

static clp_exit_status read_values(const clp_command *command, const char *seconds,
                                   const char *domain, demo *d)
{
  d->domain = DOMAIN_MAX - (int)(getpid() % DOMAINS);
  clp_exit_status status = clp_read_positive(command, "seconds", seconds, &d->seconds);
  if (status == EXIT_DONE)
    status = clp_read_count(command, "domain", domain, &d->domain);
  if (status == EXIT_DONE && d->domain > DOMAIN_MAX)
    status = clp_wrong_usage(command, "option '--domain' is '%s', expected an integer, 1 to %d",
                             domain, DOMAIN_MAX);
  return status;
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  const char *params = NULL, *seconds = NULL, *domain = NULL;
  demo *d = calloc(1, sizeof *d);
  if (!d)
    return clp_exit_status_of(CLP_ERROR_MEMORY);
  const clp_option options[] = {{"once", 0, &d->once, NULL},
                                {"seconds", 0, NULL, &seconds},
                                {"params", 0, NULL, &params},
                                {"domain", 0, NULL, &domain},
                                {"no-view", 0, &d->viewless, NULL},
                                {"open", 0, &d->open, NULL},
                                {0}};
  const clp_operand operands[] = {{0}};
  clp_exit_status status;
  d->quiet = true;
  d->sink = clp_stderr_sink(&d->quiet);
  if (clp_read_options(command, argc, argv, options, operands, &status)) {
    status = read_values(command, seconds, domain, d);
    if (status == EXIT_DONE)
      status = run_demo(d, params);
  }
  free(d);
  return status;
}

const clp_command clp_command_demo = {
    "demo", "a simulated arm among obstacles and people, and the monitor at work",
    "usage: closest_point demo [OPTION...]\n"
    "\n"
    "An arm works in the shipped cell while a person walks by. The monitor runs as it would\n"
    "beside a real robot: all of them are processes that talk DDS, on the loopback interface\n"
    "and in a domain of their own. The arm obeys the monitor: it slows down and stops before\n"
    "the person, and goes on afterwards. The screen shows what the monitor publishes. Ends with\n"
    "q, SIGINT or SIGTERM. Where standard output is no terminal, there is a line each second.\n"
    "The address that it prints is that of a page with the cell in 3-D ('closest_point view').\n"
    "\n"
    "options:\n"
    "  --once           print one table when the monitor answers, and end\n"
    "  --seconds N      end after so many seconds\n"
    "  --params FILE    the monitor's parameters, instead of config/arm_cell.yaml\n"
    "  --domain N       the DDS domain, 1 to 101; otherwise one by chance\n"
    "  --open           open the page in the browser\n"
    "  --no-view        without the page\n"
    "  --help           print this\n"
    "  --version        print the version\n"
    "\n"
    "environment: TERM, NO_COLOR, LC_CTYPE, BROWSER\n",
    run};
