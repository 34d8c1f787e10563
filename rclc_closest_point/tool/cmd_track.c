/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rclc_closest_point/control/controller.h"
#include "rclc_closest_point/control/integrator.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/pair_run.h"

/* There is no deadline here, and files may have large steps. */
#define PATIENT_CELLS 100000
#define PATIENT_EFFORT 1000000000

/* The options that are words and numbers, before they are read. */
typedef struct track_texts {
  const char *range, *tolerance, *controller, *gain, *integrator, *substeps;
  bool no_feedforward;
} track_texts;

static clp_exit_status read_controller(const clp_command *command, const char *text,
                                       clp_controller *controller)
{
  const char *words[CLP_CONTROLLER_NEWTON + 2] = {NULL};
  for (int k = 0; k <= CLP_CONTROLLER_NEWTON; ++k)
    words[k] = clp_controller_name((clp_controller)k);
  int index = (int)*controller;
  clp_exit_status status = clp_read_word(command, "controller", text, words, &index);
  *controller = (clp_controller)index;
  return status;
}

static clp_exit_status read_integrator(const clp_command *command, const char *text,
                                       clp_integrator *integrator)
{
  const char *words[CLP_INTEGRATOR_RK4 + 2] = {NULL};
  for (int k = 0; k <= CLP_INTEGRATOR_RK4; ++k)
    words[k] = clp_integrator_scheme((clp_integrator)k)->name;
  int index = (int)*integrator;
  clp_exit_status status = clp_read_word(command, "integrator", text, words, &index);
  *integrator = (clp_integrator)index;
  return status;
}

/* --gain K, or --gain exponential, or --gain exponential:RATE */
static clp_exit_status read_gain(const clp_command *command, const char *text,
                                 clp_pair_options *options)
{
  static const char schedule[] = "exponential";
  const size_t length = sizeof schedule - 1;
  clp_controller of = options->controller;
  if (!text || strncmp(text, schedule, length) != 0 || (text[length] && text[length] != ':'))
    return clp_read_positive(command, "gain", text, &options->gain);
  if (of != CLP_CONTROLLER_SWITCHING && of != CLP_CONTROLLER_COMPENSATED)
    return clp_wrong_usage(command,
                           "option '--gain' is 'exponential', which is for the controllers "
                           "switching and compensated");
  options->exponential = true;
  if (!text[length])
    return EXIT_DONE;
  return clp_read_positive(command, "gain", text + length + 1, &options->gain);
}

static clp_exit_status read_texts(const clp_command *command, const track_texts *texts,
                                  clp_pair_options *options)
{
  clp_exit_status status = clp_read_positive(command, "range", texts->range, &options->range);
  if (status == EXIT_DONE)
    status = clp_read_positive(command, "tolerance", texts->tolerance, &options->tolerance);
  if (status == EXIT_DONE)
    status = read_controller(command, texts->controller, &options->controller);
  if (status == EXIT_DONE)
    status = read_gain(command, texts->gain, options);
  if (status == EXIT_DONE)
    status = read_integrator(command, texts->integrator, &options->integrator);
  if (status == EXIT_DONE)
    status = clp_read_count(command, "substeps", texts->substeps, &options->substeps);
  options->feedforward = !texts->no_feedforward;
  options->cells = PATIENT_CELLS;
  options->effort = PATIENT_EFFORT;
  return status;
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  clp_pair_run track = {.command = command, .tracks = true, .options = clp_default_pair_options()};
  track_texts texts = {0};
  const clp_option options[] = {{"pairs", 0, NULL, &track.pairs},
                                {"srdf", 0, NULL, &track.srdf},
                                {"range", 0, NULL, &texts.range},
                                {"tolerance", 0, NULL, &texts.tolerance},
                                {"controller", 0, NULL, &texts.controller},
                                {"gain", 0, NULL, &texts.gain},
                                {"force", 0, &track.force, NULL},
                                {"integrator", 0, NULL, &texts.integrator},
                                {"substeps", 0, NULL, &texts.substeps},
                                {"no-feedforward", 0, &texts.no_feedforward, NULL},
                                {"start", 0, NULL, &track.start},
                                {"out", 0, NULL, &track.out},
                                {"events", 0, NULL, &track.events},
                                {"fixed-frame", 0, NULL, &track.fixed_frame},
                                {"quiet", 'q', &track.quiet, NULL},
                                {0}};
  const clp_operand operands[] = {{"MODEL", &track.model}, {"[POSES file]", &track.poses}, {0}};
  clp_exit_status status;
  if (!clp_read_options(command, argc, argv, options, operands, &status))
    return status;
  status = clp_read_pair_operands(&track);
  if (status == EXIT_DONE)
    status = read_texts(command, &texts, &track.options);
  return status == EXIT_DONE ? clp_run_pairs(&track) : status;
}

const clp_command clp_command_track = {
    "track", "closest distances, tracked from time stamp to time stamp",
    "usage: closest_point track MODEL POSES [OPTION...]\n"
    "       closest_point track RECORDING [OPTION...]\n"
    "\n"
    "The same as query, but every answer goes on from the one before it, with one small step\n"
    "of a controller. The rows also have the rate of the distance.\n"
    "\n"
    "options:\n"
    "  --pairs A:B,...  these pairs of links, in this order; default: all that no joint\n"
    "                   connects directly, in the order of the model\n"
    "  --srdf FILE      leave out the disabled pairs of an SRDF\n"
    "  --range D        farther apart than D meters is OUT_OF_RANGE, with a bound of the\n"
    "                   distance alone where that is enough to tell\n"
    "  --tolerance T    how wide the interval may be, of the body's size, to count as\n"
    "                   TRACKING; default 1e-9, where a part is not convex 1e-6\n"
    "  --controller C   auto (default), linearising, switching, compensated or newton\n"
    "  --gain K         of the controller, 1/s; default: its best. 'exponential' lets it grow\n"
    "                   as the error falls (switching, compensated), so that the distance\n"
    "                   shrinks at one rate, 'exponential:R' at the rate R (1/s)\n"
    "  --force          take a gain outside its bounds, too\n"
    "  --integrator I   euler (default), rk2 or rk4\n"
    "  --substeps N     integration steps from one stamp to the next; default 1\n"
    "  --no-feedforward do not use the motion to predict\n"
    "  --start \"LINKA=FACE,U,V LINKB=FACE,U,V\"\n"
    "                   start a pair on these faces at these parameters\n"
    "  --fixed-frame F  of a recording: the frame of the results; default: the one that all\n"
    "                   links hang on at last\n"
    "  --out FILE       write to FILE instead of standard output\n"
    "  --events FILE    write every change of features: t,link_a,link_b,side,from,to,distance\n"
    "  -q, --quiet      no notes and no progress bar on standard error\n"
    "  --help           print this\n"
    "  --version        print the version\n",
    run};
