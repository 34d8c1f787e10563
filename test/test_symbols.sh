#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the core library may ask of its surroundings, seen in its symbols: mathematics, memory and
# text in memory; no streams, no files, no exit. And it keeps no variables of its own: nothing in
# .data or .bss. Usage: test_symbols.sh libclosest_point.a
set -euo pipefail
export LC_ALL=C

library=$1
mathematics='acos acosh asin asinh atan atan2 cbrt ceil copysign cos cosh exp exp2 expm1 fabs floor
  fma fmax fmaxl fmin fminl fmod frexp hypot ldexp log log10 log1p log2 lround modf nearbyint nextafter pow remainder rint
  round scalbn sin sincos sinh sqrt tan tanh trunc'
memory='calloc free malloc realloc aligned_alloc memchr memcmp memcpy memmove memset'
text='strchr strcmp strcspn strlen strncmp strpbrk strrchr strspn strstr strtod strtol strtoul
  snprintf vsnprintf'
other='qsort clock timespec_get'
compiler='__assert_fail __cpu_model bcmp __errno_location __isoc99_.* __.*_chk __stack_chk_fail _GLOBAL_OFFSET_TABLE_'

allowed=$(tr -s ' \n' '|' <<<"$mathematics $memory $text $other $compiler")
asked=$(nm --undefined-only "$library" | awk 'NF == 2 {print $2}' | sort -u)
defined=$(nm --defined-only --extern-only "$library" | awk 'NF == 3 {print $3}' | sort -u)
[[ -n $defined ]] || { echo "$library defines nothing" >&2; exit 1; }

failed=0
outside=$(comm -23 <(echo "$asked") <(echo "$defined") | grep -Evx "${allowed%|}" || true)
if [[ -n $outside ]]; then
  printf 'The core asks for what it must not use:\n%s\n' "$outside" >&2
  failed=1
fi
foreign=$(grep -v '^clp_' <<<"$defined" || true)
if [[ -n $foreign ]]; then
  printf 'External names without the prefix clp_:\n%s\n' "$foreign" >&2
  failed=1
fi
variables=$(size -A "$library" |
  awk '/:$/ {object = $1} $1 ~ /^\.(data|bss|tdata|tbss)$/ && $2 > 0 {print object, $1}
       $1 ~ /^\.(data|bss)\./ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 {print object, $1}')
if [[ -n $variables ]]; then
  printf 'The core has variables:\n%s\n' "$variables" >&2
  failed=1
fi
exit $failed
