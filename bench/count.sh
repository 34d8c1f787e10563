#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Instructions of a tracked step, counted by callgrind.
#   bench/count.sh BENCH_STEP [STEPS]            on each workload, without its first cycle, which is a
#                                                query; what the proof of pairs that are not convex
#                                                takes (clp_exclusion_refresh) is told apart
#   bench/count.sh BENCH_STEP --worst [STEPS]    of the hundred worst of many random steps
set -euo pipefail
export LC_ALL=C

program=$1
mode=steps
[[ ${2-} != --worst ]] || { mode=worst; shift; }
command -v valgrind >/dev/null || { echo 'There is no valgrind: instructions are not counted.'; exit; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# `counted OUT FUNCTION ARGUMENTS...`: runs the program and counts within the function.
counted()
{
  valgrind --tool=callgrind --callgrind-out-file="$1" --toggle-collect="$2" "${@:4}" \
    "$program" ${3} >/dev/null 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
}

# `inclusive OUT FUNCTION`: what all calls of the function took together.
inclusive()
{
  callgrind_annotate --auto=no --inclusive=yes --threshold=100 "$1" 2>/dev/null |
    awk -v name="$2" '$0 ~ ":" name "( |$)" { gsub(",", "", $1); print $1; found = 1; exit } END { if (!found) print 0 }'
}

total() { awk '/^(summary|totals):/ { print $2; exit }' "$1"; }

# The first cycles of a short and of a long run are the same, so the difference has none of them.
steps()
{
  local count=$1 name all refresh
  printf '%-4s %18s %14s\n' '' 'instructions/step' 'proof apart'
  for name in W1 W2 W3 W4 W5 W5c; do
    counted "$folder/short" clp_pair_track "--count 1 $name"
    counted "$folder/long" clp_pair_track "--count $((count + 1)) $name"
    all=$(($(total "$folder/long") - $(total "$folder/short")))
    refresh=$(($(inclusive "$folder/long" clp_exclusion_refresh) - $(inclusive "$folder/short" clp_exclusion_refresh)))
    awk -v name=$name -v all=$all -v refresh=$refresh -v count="$count" \
      'BEGIN { printf "%-4s %18.1f %14.1f\n", name, (all - refresh) / count, refresh / count }'
  done
}

# Callgrind writes one part for each step.
worst()
{
  "$program" --worst "$1" >"$folder/worst"
  head -n 1 "$folder/worst"
  counted "$folder/part" worst_step "--replay $folder/worst" --dump-after=worst_step
  for part in "$folder"/part.*; do
    printf '%12d %s\n' "$(total "$part")" "${part##*.}"
  done | awk '$1 > 0' | sort -k2n >"$folder/counts"
  grep -v '^#' "$folder/worst" | paste -d' ' <(cut -c1-12 "$folder/counts") - | sort -rn >"$folder/table"
  echo 'instructions  episode step iterations transitions        time   status'
  head -n 10 "$folder/table"
  echo "... of $(wc -l <"$folder/table"); the worst that ended TRACKING:"
  grep -m 3 ' TRACKING' "$folder/table" || true
}

if [[ $mode == worst ]]; then
  worst "${2-1000000}"
else
  steps "${2-2000}"
fi
