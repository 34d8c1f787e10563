#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Puts what a benchmark prints between its marks in a page of the documentation:
#   bench/bench_<x> | bench/into_page.sh PAGE bench_<x>
set -eu
table=$(cat)
test -n "$table"
awk -v mark="$2" -v table="$table" '
  $0 == "<!-- end of what " mark " has written -->" { inside = 0; found++ }
  !inside { print }
  $0 == "<!-- written by " mark " -->" { inside = 1; found++; print ""; print table; print "" }
  END { exit found != 2 }' "$1" > "$1.new" || { rm -f "$1.new"; echo "$1 has no marks of $2" >&2; exit 1; }
mv "$1.new" "$1"
