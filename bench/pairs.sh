#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every pair of shapes beside other libraries (bench/README.md).
#   bench/pairs.sh count BENCH_PAIRS STEPS [FROM TO]   its rows with instructions of a step, by callgrind
#   bench/pairs.sh own BENCH_PAIRS STEPS [FROM TO]     the same of this library alone, and nothing
#                                                      but its step (clp_pair_track)
#   bench/pairs.sh groups BENCH_PAIRS STEPS [FROM TO]  the same of many such pairs a cycle, a pair's
#                                                      share of it (crowd_step)
#   bench/pairs.sh cells BENCH_CELL_PEERS OBSTACLES CYCLES
#                                                      the rows of a cell beside other libraries with
#                                                      instructions of a cycle (ask_cycle)
#   bench/pairs.sh table FOLDER                        docs/peers.md from the three files in FOLDER:
#                                                      pairs_times, pairs_counts, pairs_verdicts.csv
#   bench/pairs.sh check FOLDER                        whether docs/peers.md is what these say
set -euo pipefail
export LC_ALL=C

# Callgrind writes one part for each pass, two of them for each row, in the rows' order.
# `count MODE BENCH_PAIRS STEPS...`
count()
{
  command -v valgrind >/dev/null || { echo 'There is no valgrind: instructions are not counted.' >&2; exit 1; }
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  local pass=method_pass skipped=0 counted=method_pass
  case $1 in
    own) counted=clp_pair_track ;;
    groups) pass=crowd_pass counted=crowd_step skipped=1 ;;
    cells) pass='ask_pass*' counted='ask_cycle*' skipped=1 ;;
  esac
  valgrind --tool=callgrind --callgrind-out-file="$folder/part" --toggle-collect=$counted \
    --zero-before=$pass --dump-after=$pass "$2" "$1" "${@:3}" >"$folder/rows" 2>"$folder/log" ||
    { cat "$folder/log" >&2; exit 1; }
  for part in "$folder"/part.*; do
    echo "${part##*.} $(awk '/^(summary|totals):/ { print $2; exit }' "$part")"
  done | sort -n | awk -v skipped=$skipped '
    $2 > 0 { sum += ++part % 2 == 1 && skipped ? 0 : $2; if (part % 2 == 0) { printf "%.0f\n", sum; sum = 0 } }' >"$folder/counts"
  paste -d, "$folder/rows" "$folder/counts" |
    awk -F, '{ per_step = $NF / $(NF - 1); sub(/,[0-9]+$/, ""); printf "%s,%.1f\n", $0, per_step }'
}

page=$(dirname "$0")/../docs/peers.md

# What stands above the mark is written by hand and stays.
table()
{
  local mark='<!-- from here on written by make peers -->'
  sed "/^$mark\$/q" "$page"
  echo
  awk -f "$(dirname "$0")/pairs.awk" file=1 "$1/pairs_times.csv" file=2 "$1/pairs_counts.csv" \
    file=3 "$1/pairs_verdicts.csv"
}

case ${1-} in
  count | own | groups | cells) count "$@" ;;
  table) table "$2" >"$page.new" && mv "$page.new" "$page" ;;
  check) diff <(table "$2") "$page" ;;
  *) echo "usage: $0 count|own|groups BENCH_PAIRS STEPS [FROM TO] | cells BENCH_CELL_PEERS OBSTACLES CYCLES | table FOLDER | check FOLDER" >&2; exit 2 ;;
esac
