/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/timing.h"

/* Bin 16 k + j holds 2^k (1 + j / 16) up to the next; what is below 16 ns has bins of its own. */
static int bin_of(int64_t duration)
{
  if (duration < 16)
    return (int)duration;
  int octave = 0;
  while (duration >> octave >= 32)
    ++octave;
  int bin = 16 * octave + (int)(duration >> octave);
  return bin < CLP_TIMING_BINS ? bin : CLP_TIMING_BINS - 1;
}

/* Where the next bin begins. */
static int64_t end_of(int bin)
{
  if (bin < 16)
    return bin + 1;
  int octave = bin / 16 - 1;
  return (int64_t)(bin - 16 * octave + 1) << octave;
}

void clp_timing_add(clp_timing *timing, int64_t duration)
{
  if (duration < 0)
    duration = 0;
  ++timing->bins[bin_of(duration)];
  ++timing->count;
  if (duration > timing->largest)
    timing->largest = duration;
}

double clp_timing_quantile(const clp_timing *timing, double share)
{
  uint64_t below = 0;
  for (int bin = 0; bin < CLP_TIMING_BINS; ++bin) {
    below += timing->bins[bin];
    if (below > 0 && (double)below >= share * (double)timing->count) {
      int64_t end = end_of(bin);
      return 1e-9 * (double)(end < timing->largest ? end : timing->largest);
    }
  }
  return 0;
}
