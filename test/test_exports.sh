#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the libraries export is what the installed headers declare, both ways, and a shared library
# says by its SONAME which others can stand in for it. Proves on made-up libraries that this can fail
# first. Usage: test_exports.sh CC CORE MODEL, the libraries as they are installed.
set -euo pipefail
export LC_ALL=C

headers=$(cd "$(dirname "$0")/../rclc_closest_point" && pwd)
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

# Of a shared library what can be linked to; of an archive what a shared library made of it exports.
exported()
{
  local table=--syms
  [[ $1 == *.a ]] || table=--dyn-syms
  readelf -W "$table" "$1" |
    awk '$5 ~ /^(GLOBAL|WEAK)$/ && $6 == "DEFAULT" && $7 != "UND" {print $8}' | sort -u
}

# Names before a parenthesis, outside of comments and of functions that are defined in place.
declared()
{
  sed -E 's,/\*([^*]|\*[^/])*\*/,,g; /\/\*/,/\*\//d; /^static inline/,/^}/d' "$@" |
    grep -oE '\bclp_[a-z0-9_]+\(' | tr -d '(' | sort -u
}

# `compare LIBRARY HEADER...`
compare()
{
  local difference
  difference=$(comm -3 <(declared "${@:2}") <(exported "$1"))
  [[ -z $difference ]] && return
  printf '%s: declared and not exported, or (indented) the other way round:\n%s\n' "$1" "$difference" >&2
  return 1
}

# A library of the C code $3, in which functions are hidden as in ours, is as the header $2 says, or not.
expect()
{
  local outcome=good kind
  printf '%s\n' "$2" >"$scratch/api.h"
  printf '%s\n' '#define CLP_API __attribute__((visibility("default")))' "$3" >"$scratch/api.c"
  "$cc" -fPIC -fvisibility=hidden -c "$scratch/api.c" -o "$scratch/api.o"
  "$cc" -shared "$scratch/api.o" -o "$scratch/api.so"
  rm -f "$scratch/api.a"
  ar rc "$scratch/api.a" "$scratch/api.o"
  for kind in so a; do
    outcome=good
    compare "$scratch/api.$kind" "$scratch/api.h" 2>/dev/null || outcome=bad
    [[ $outcome == "$1" ]] || { echo "self-test: $2 with $3 is $outcome, expected $1" >&2; exit 1; }
  done
}

check_soname()
{
  [[ $1 == *.a ]] && return
  readelf -d "$1" | grep -qE 'SONAME.*\[lib[a-z_]+\.so\.[0-9]+\.[0-9]+\]' && return
  echo "$1: expected a SONAME with the major and minor version" >&2
  return 1
}

cc=$1 core=$2 model=$3
expect good 'CLP_API int clp_a(void); /* not clp_b(void); */' 'CLP_API int clp_a(void) { return 1; }'
expect good 'CLP_API int clp_a(void);' 'int clp_b(void) { return 1; } CLP_API int clp_a(void) { return 1; }'
expect bad 'CLP_API int clp_a(void);' 'int clp_a(void) { return 1; }'
expect bad 'CLP_API int clp_a(void);' 'CLP_API int clp_a(void) { return 1; } CLP_API int clp_b(void) { return 1; }'
expect bad '/* clp_a(void); */' 'CLP_API int clp_a(void) { return 1; }'
expect bad 'CLP_API int clp_a(void);' 'CLP_API int clp_a(void) { return 1; } CLP_API int clp_b = 1;'

of_model=("$headers/model.h" "$headers/joint_tree.h" "$headers/joint_derivative.h" "$headers/certify.h")
of_core=()
for header in "$headers"/*.h; do
  [[ " ${of_model[*]} " == *" $header "* ]] || of_core+=("$header")
done
failed=0
compare "$core" "${of_core[@]}" || failed=1
compare "$model" "${of_model[@]}" || failed=1
check_soname "$core" || failed=1
check_soname "$model" || failed=1
exit $failed
