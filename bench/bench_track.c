/* SPDX-License-Identifier: Apache-2.0 */
/* How long `closest_point track` takes with a file of 10,000 stamps of 60 links, 1,770 pairs, and
 * what for: reading the poses, finding out which pairs are near, stepping, writing rows. */

#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LINKS = 60, STAMPS = 10000, PAIRS = LINKS * (LINKS - 1) / 2 };

static const char *const shapes[] = {
    "<box size='0.3 0.2 0.4'/>", "<sphere radius='0.15'/>", "<ellipsoid radii='0.3 0.2 0.15'/>",
    "<cylinder radius='0.1' length='0.5'/>", "<capsule radius='0.1' length='0.4'/>"};

static FILE *open_file(const char *name)
{
  FILE *file = fopen(name, "w");
  if (!file) {
    perror(name);
    exit(EXIT_FAILURE);
  }
  return file;
}

static void write_model(void)
{
  FILE *file = open_file("m.urdf");
  fputs("<robot name='sixty'>\n", file);
  for (int k = 0; k < LINKS; ++k)
    fprintf(file, "<link name='link_%02d'><patches>%s</patches></link>\n", k, shapes[k % 5]);
  fputs("</robot>\n", file);
  fclose(file);
}

/* A number from 0 to 1 that looks like any other. */
static double scattered(int k, int which)
{
  double x = 43758.5453 * sin(12.9898 * k + 78.233 * which + 1);
  return x - floor(x);
}

/* Links scattered in a cube of 6 m that go round in small circles and turn. */
static void write_pose(FILE *file, int stamp, int k)
{
  double t = 1e-3 * stamp, a = (0.3 + 0.9 * scattered(k, 3)) * t + 6 * scattered(k, 4);
  double b = 0.5 * scattered(k, 5) * t;
  fprintf(file, "%.6f,link_%02d,%.9f,%.9f,%.9f,0,0,%.9f,%.9f\n", t, k,
          6 * scattered(k, 0) + 0.3 * sin(a), 6 * scattered(k, 1) + 0.3 * cos(a),
          6 * scattered(k, 2) + 0.2 * sin(2 * a), sin(b), cos(b));
}

static void write_poses(const char *name, int stamps)
{
  FILE *file = open_file(name);
  fputs("t,link,x,y,z,qx,qy,qz,qw\n", file);
  for (int stamp = 0; stamp < stamps; ++stamp)
    for (int k = 0; k < LINKS; ++k)
      write_pose(file, stamp, k);
  fclose(file);
}

static double processor_time(void)
{
  struct rusage use;
  getrusage(RUSAGE_CHILDREN, &use);
  return (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec;
}

/* What the command takes of a processor, not of the clock. */
static void measure(const char *what, const char *arguments, double rows)
{
  char command[1024];
  snprintf(command, sizeof command, "%s track m.urdf %s", CLOSEST_POINT, arguments);
  double before = processor_time();
  if (system(command) != 0)
    exit(EXIT_FAILURE);
  double seconds = processor_time() - before;
  printf("%-44s %9.0f %9.2f %9.0f\n", what, rows, seconds, 1e9 * seconds / rows);
  fflush(stdout);
}

int main(void)
{
  char folder[] = "bench_track.XXXXXX";
  if (!mkdtemp(folder) || chdir(folder) != 0)
    return EXIT_FAILURE;
  write_model();
  write_poses("all.csv", STAMPS);
  write_poses("tenth.csv", STAMPS / 10);
  printf("%-44s %9s %9s %9s\n", "60 links", "rows", "seconds", "ns/row");
  measure("10,000 stamps, one pair (reading, mostly)",
          "all.csv --pairs link_00:link_01 --out /dev/null", STAMPS);
  measure("10,000 stamps, within 0.2 m", "all.csv --range 0.2 --out /dev/null",
          (double)STAMPS * PAIRS);
  measure("1,000 stamps, all pairs", "tenth.csv --out /dev/null", 0.1 * STAMPS * PAIRS);
  unlink("m.urdf");
  unlink("all.csv");
  unlink("tenth.csv");
  return chdir("..") == 0 && rmdir(folder) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
