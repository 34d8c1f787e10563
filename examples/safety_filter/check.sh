#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The numbers that docs/derivatives.md rests on, and random runs; with CLP_AMOUNT=quick in the environment
# the runs alone, fewer of them. Usage: check.sh SAFETY_FILTER CELL
set -eu
# Where another corner of the gripper becomes the nearest to the table at speed.
"$1" "$2" --random 1 0.5 1203
if [ "${CLP_AMOUNT-}" = quick ]; then
  exec "$1" "$2" --random 3 0.3
fi
"$1" "$2" --random 24 0.3

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$2" "$folder" > "$folder/summary"

# NAME, what it is compared by, with what: a number or another name, and a factor of that.
expectations='
speeds_least_m >= 0.03
speeds_least_m < 0.031
speeds_binding > 0.3
accelerations_least_m >= 0.03
accelerations_least_m < 0.031
accelerations_binding > 0.3
accelerations_contradictions < 1
hulls_least_m >= 0.03
accelerations_change_rad_s2 < hulls_change_rad_s2 0.4
'
echo "$expectations" | awk -v summary="$folder/summary" '
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
  END { print count " numbers looked at"; exit bad || count < 9 }'
