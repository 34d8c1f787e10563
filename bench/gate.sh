#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether steps, cycles and builds take the instructions that bench/gate.txt allows them, and 3 % more.
# Counted by callgrind, so that no clock and no other process has to do with it; compilers do, and
# what the processor offers: the figures are those of gcc 12 and of AVX2.
#   bench/gate.sh BENCH            BENCH is the folder with the programs
#   bench/gate.sh BENCH --write    takes what is counted for what is allowed
set -euo pipefail
export LC_ALL=C

here=$(dirname "$0") bench=$1 room=1.03
command -v valgrind >/dev/null || { echo 'There is no valgrind: nothing can be counted.' >&2; exit 1; }
grep -qw avx2 /proc/cpuinfo || { echo 'This processor has no AVX2, the figures are of one that has: nothing is compared.'; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Rows `name|instructions`; what is proven apart has rows of its own.
steps()
{
  "$here/count.sh" "$bench/bench_step" 400 |
    awk 'NR > 1 { print $1 "|" $2; if ($3 > 0) print $1 ", proof|" $3 }'
}

# The pairs of the first seven shapes.
pairs()
{
  "$here/pairs.sh" own "$bench/bench_pairs" 400 0 28 |
    awk -F'"' '{ count = $0; sub(/.*,/, "", count); print $2 "|" count }'
}

# Two hulls of 1,000 facets as exactly as can be: what changes of features cost where little is left
# of the width.
fine()
{
  "$here/pairs.sh" count "$bench/bench_pairs" 400 35 36 |
    awk -F, '/certified to 1e-12/ { print "hulls of 1,000, to 1e-12|" $NF }'
}

cell()
{
  local cycles=100
  valgrind --tool=callgrind --callgrind-out-file="$folder/cell" --toggle-collect=usual_cycle \
    "$bench/bench_cell" --scene 1000 0.8 $cycles >/dev/null 2>"$folder/log" ||
    { cat "$folder/log" >&2; return 1; }
  awk -v cycles=$cycles '/^(summary|totals):/ { printf "cell, 1,000 obstacles|%.1f\n", $2 / cycles; exit }' "$folder/cell"
}

build()
{
  valgrind --tool=callgrind --callgrind-out-file="$folder/build" --toggle-collect=clp_body_create \
    "$bench/bench_build" 16 >/dev/null 2>"$folder/log" ||
    { cat "$folder/log" >&2; return 1; }
  awk '/^(summary|totals):/ { printf "build, 5,120 facets|%.1f\n", $2; exit }' "$folder/build"
}

{ steps && pairs && fine && cell && build; } >"$folder/counted"

if [[ ${2-} == --write ]]; then
  sed -i '/^#/!d' "$here/gate.txt"
  cat "$folder/counted" >>"$here/gate.txt"
  exit
fi

# Both ways: a workload without a figure, or a figure without its workload, is a failure, too.
awk -F'|' -v room=$room '
  /^#/ { next }
  NR == FNR { allowed[$1] = $2; next }
  !($1 in allowed) { printf "%-26s %12.1f is not in the file\n", $1, $2; bad = 1; next }
  {
    verdict = $2 > room * allowed[$1] ? "TOO MANY" : room * $2 < allowed[$1] ? "fewer: write it down" : ""
    if (verdict == "TOO MANY") bad = 1
    printf "%-26s %12.1f %12.1f %7.3f %s\n", $1, $2, allowed[$1], $2 / allowed[$1], verdict
    delete allowed[$1]
  }
  END { for (name in allowed) { print name " was not counted"; bad = 1 } exit bad }
' "$here/gate.txt" "$folder/counted"
