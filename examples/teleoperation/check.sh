#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The numbers that docs/teleoperation.md rests on. Usage: check.sh TELEOPERATION
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder" > /dev/null

# NAME, what it is compared by, with what: a number or another name, and a factor of that.
expectations='
seams_shell_switches >= 2
seams_facets_switches >= 10
seams_shell_from_quadric_N < 1e-9
seams_shell_ripple_N < 1e-3
seams_facets_ripple_N > 0.5
seams_shell_step_N < seams_facets_step_N 0.05
seams_shell_turn_rad < seams_facets_turn_rad 0.05
seams_rounded_turn_rad < seams_facets_turn_rad 0.25
seams_rounded_step_N < seams_facets_step_N 0.3
direct_least_energy_J_0ms >= -1e-12
direct_least_energy_J_20ms < -1
direct_swing_m_s_20ms > 1
limited_least_energy_J_5ms >= -1e-12
limited_least_energy_J_20ms >= -1e-12
limited_swing_m_s_5ms < 0.01
limited_swing_m_s_20ms < 0.01
guarded_least_energy_J_0ms >= -1e-12
guarded_least_energy_J_5ms >= -1e-12
guarded_least_energy_J_20ms >= -1e-12
guarded_controlled_cycles_20ms > 100
guarded_swing_m_s_20ms < direct_swing_m_s_20ms 0.05
guarded_acceleration_m_s2_0ms < 60
guarded_acceleration_m_s2_5ms < 60
guarded_acceleration_m_s2_20ms < 60
waves_least_energy_J_0ms >= -1e-12
waves_least_energy_J_5ms >= -1e-12
waves_least_energy_J_20ms >= -1e-12
waves_acceleration_m_s2_20ms < 60
waves_withheld_N_20ms < 1
waves_swing_m_s_20ms < 0.02
waves_most_force_N_20ms > 4
waves_seams_crossed_0ms >= 2
waves_seams_crossed_5ms >= 2
waves_seams_crossed_20ms >= 2
stiffest_direct_N_m_0ms > predicted_direct_N_m_0ms 0.98
stiffest_direct_N_m_0ms < predicted_direct_N_m_0ms 1.02
stiffest_direct_N_m_5ms > predicted_direct_N_m_5ms 0.98
stiffest_direct_N_m_5ms < predicted_direct_N_m_5ms 1.02
stiffest_direct_N_m_20ms > predicted_direct_N_m_20ms 0.98
stiffest_direct_N_m_20ms < predicted_direct_N_m_20ms 1.02
limit_of_the_monitor_N_m_0ms < stiffest_direct_N_m_0ms 0.7
limit_of_the_monitor_N_m_5ms < stiffest_direct_N_m_5ms 0.7
limit_of_the_monitor_N_m_20ms < stiffest_direct_N_m_20ms 0.7
stiffest_waves_N_m_0ms > predicted_slave_alone_N_m 0.6
stiffest_waves_N_m_5ms > predicted_slave_alone_N_m 0.6
stiffest_waves_N_m_20ms > predicted_slave_alone_N_m 0.6
'
echo "$expectations" | awk -v summary="$folder/summary.csv" '
  BEGIN {
    FS = ","
    while ((getline < summary) > 0) value[$1] = $2
    FS = " "
  }
  NF < 3 { next }
  {
    known = ($1 in value) && ($3 in value || $3 ~ /^-?[0-9]/)
    x = value[$1]; y = ($3 in value ? value[$3] : $3) * (NF > 3 ? $4 : 1)
    fine = known && ($2 == "<" ? x < y : $2 == ">" ? x > y : x >= y)
    if (!fine) { print "not so: " $0 ", it is " x " and " y; bad = 1 }
    ++count
  }
  END { print count " numbers looked at"; exit bad || count < 40 }'
