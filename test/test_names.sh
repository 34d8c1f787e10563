#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One type name, one meaning: no clp_ type is defined twice, so that any headers can be included
# together. Without an argument: proves on a made-up tree that it can fail, then looks at this
# repository. With a tree: looks at that. Nor is anything called by a word that the glossary of the map
# has replaced, and the glossary stays short.
set -euo pipefail
export LC_ALL=C

# Where the types of the tree in $1 that are defined more than once are defined.
defined_twice()
{
  local folders=("$1/rclc_closest_point")
  [[ ! -d $1/papers ]] || folders+=("$1/papers")
  grep -rnE --include='*.[ch]' '^(\} clp_[a-z0-9_]+;|typedef [^;{(]* clp_[a-z0-9_]+;|(struct|union|enum) clp_[a-z0-9_]+ \{)' "${folders[@]}" |
    grep -vE 'typedef (struct|union|enum) (clp_[a-z0-9_]+) \2;' |
    sed -E 's/^([^:]+:[0-9]+):.*\b(clp_[a-z0-9_]+)( \{|;)$/\2 \1/' |
    awk '{ where[$1] = where[$1] "\n  " $2; count[$1]++ }
         END { for (name in count) if (count[name] > 1) { print name where[name]; bad = 1 } exit bad }'
}

# Where the tree in $1 names something by a word that is no longer in use, but for the command's name.
named_as_before()
{
  ! grep -rnE --include='*.[ch]' '\bclp_([a-z0-9_]+_)?(sight|look|view|local)\b' "$1/rclc_closest_point" "$1/papers" |
    sed 's/\bclp_command_view\b//g' | grep -E '\bclp_([a-z0-9_]+_)?(sight|look|view|local)\b'
}

# Of the map in the tree $1: at most 25 rows.
short_glossary()
{
  local rows
  rows=$(awk '/^## /{in_words = $2 == "Words"} in_words && /^\| / && $2 != "word"' "$1/rclc_closest_point/README.md" | wc -l)
  ((rows > 0 && rows <= 25)) || { echo "the map explains $rows words, expected 1 to 25" >&2; return 1; }
}

self_test()
{
  local tree
  tree=$(mktemp -d)
  mkdir -p "$tree/rclc_closest_point/a" "$tree/papers"
  printf 'typedef struct clp_ball {\n  int x;\n} clp_ball;\n' >"$tree/rclc_closest_point/a/a.h"
  printf 'typedef struct clp_bat clp_bat;\n' >"$tree/rclc_closest_point/b.h"
  printf 'struct clp_bat {\n  int x;\n};\n' >"$tree/papers/b.h"
  defined_twice "$tree" >/dev/null || { echo "self-test: nothing is defined twice" >&2; return 1; }
  printf 'typedef struct clp_ball {\n  int y;\n} clp_ball;\n' >"$tree/papers/c.h"
  if defined_twice "$tree" >/dev/null; then echo "self-test: clp_ball is defined twice" >&2; return 1; fi
  named_as_before "$tree" || { echo "self-test: nothing has an old name" >&2; return 1; }
  printf 'int clp_face_view(void);\n' >"$tree/rclc_closest_point/b.h"
  if named_as_before "$tree" >/dev/null; then echo "self-test: clp_face_view" >&2; return 1; fi
  rm -r "$tree"
}

tree=${1:-}
if [[ -z $tree ]]; then
  self_test
  tree=$(cd "$(dirname "$0")/.." && pwd)
fi
defined_twice "$tree" && named_as_before "$tree" && short_glossary "$tree"
