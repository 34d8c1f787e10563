#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The direction of includes. Without an argument: proves on made-up trees that every rule can fail,
# then applies the rules to this repository. With a tree: applies them to it.
#
#  1. The layers stand in an order; a file includes only its own layer and those before it. Those that
#     stand side by side (depth|exclusion|control) do not include each other. papers/, beside the
#     library, stands beside the model layer: it includes the core, and the tool includes it.
#  2. Public headers include public headers only. Those of the model layer, model.h, joint_tree.h and
#     joint_derivative.h, are for that layer and above, and certify.h for that of certify/.
#  3. The project's own headers are written from the repository's root.
#  4. The core includes the listed standard headers only: no files, no XML, no ROS. <stdio.h> is for
#     snprintf in base and body, where texts are made (test_symbols.sh sees to it that no stream is
#     used).
set -euo pipefail
export LC_ALL=C

rules='
BEGIN {
  count = split("base math hull surface body witness depth|exclusion|control pair scene model|papers certify mesh monitor node bag view tool",
                order, " ")
  for (i = 1; i <= count; ++i) {
    split(order[i], beside, "|")
    for (k in beside) level[beside[k]] = i
    delete beside
  }
  split("closest_point.h derivative.h record.h scene.h types.h status.h", names, " ")
  for (i in names) public[names[i]] = 1
  split("model.h joint_tree.h joint_derivative.h certify.h", names, " ")
  for (i in names) model_header[names[i]] = 1
  split("assert float limits math stdalign stdarg stdbool stddef stdint stdlib string time", names, " ")
  for (i in names) core_header[names[i] ".h"] = 1
}

function complain(what) {
  printf "%s:%d: %s\n", FILENAME, FNR, what
  failed = 1
}

FNR == 1 {
  path = substr(FILENAME, length(prefix) + 1)
  sub(/^rclc_closest_point\//, "", path)
  parts = split(path, part, "/")
  layer = parts > 1 ? part[1] : ""
  if (layer != "" && !(layer in level)) complain("folder \"" layer "\" is no layer")
  core = layer == "" ? !(part[1] in model_header) : level[layer] <= level["scene"]
}

/^[ \t]*#[ \t]*include/ {
  text = $0
  sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
  quoted = substr(text, 1, 1) == "\""
  name = substr(text, 2)
  sub(/[">].*/, "", name)

  if (name !~ /^(rclc_closest_point|papers)\//) {
    if (quoted)
      complain("\"" name "\" is not written from the root of the repository")
    else if (core && !(name in core_header) &&
             !(name == "stdio.h" && (layer == "base" || layer == "body") && FILENAME ~ /\.c$/))
      complain("the core includes <" name ">")
    next
  }

  sub(/^rclc_closest_point\//, "", name)
  if (name in public) next
  if (name in model_header) {
    if (core) complain(name " is above " (layer == "" ? "the core" : layer))
    else if (name == "certify.h" && layer != "" && level[layer] < level["certify"])
      complain(name " is above " layer)
    next
  }
  if (split(name, target, "/") < 2 || !(target[1] in level)) {
    if (target[1] !~ /^(msg|srv)$/ || level[layer] < level["node"])
      complain("\"" name "\" is in no layer")
  }
  else if (layer == "") complain("a public header includes " name)
  else if (level[target[1]] > level[layer]) complain(layer " includes " name)
  else if (level[target[1]] == level[layer] && target[1] != layer) complain(layer " includes " name)
  else if (target[1] == "papers" && layer !~ /^(papers|tool)$/) complain(layer " includes " name)
}

END { exit failed }
'

# Applies the rules to the tree in $1.
check_tree()
{
  local files
  local folders=("$1/rclc_closest_point")
  [[ ! -d $1/papers ]] || folders+=("$1/papers")
  mapfile -t files < <(find "${folders[@]}" -name '*.[ch]' -o -name '*.[ch]pp' | sort)
  ((${#files[@]} > 0)) || { echo "$1: no sources" >&2; return 1; }
  awk -v prefix="$1/" "$rules" "${files[@]}"
}

# A made-up tree whose one file $1 has the one line $2 is accepted (good) or refused (bad).
expect()
{
  local verdict=$1 file=$2 line=$3 tree outcome=good
  tree=$(mktemp -d)
  [[ $file == papers/* ]] || file=rclc_closest_point/$file
  mkdir -p "$tree/rclc_closest_point" "$(dirname "$tree/$file")"
  printf '/* made up */\n%s\n' "$line" >"$tree/$file"
  check_tree "$tree" >/dev/null || outcome=bad
  rm -r "$tree"
  if [[ $outcome != "$verdict" ]]; then
    echo "self-test: $file with $line is $outcome, expected $verdict" >&2
    return 1
  fi
}

self_test()
{
  expect good body/a.c '#include "rclc_closest_point/surface/surface.h"'
  expect good body/a.c '#include "rclc_closest_point/body/body.h"'
  expect good base/a.c '#include "rclc_closest_point/types.h"'
  expect good model/a.c '#include "rclc_closest_point/model.h"'
  expect good model/a.c '#include <libxml/parser.h>'
  expect good tool/a.c '#include "rclc_closest_point/model/model_read.h"'
  expect good model.h '#include "rclc_closest_point/closest_point.h"'
  expect good base/a.c '#include <stdio.h>'
  expect good node/a.c '#include "rclc_closest_point/msg/closest_point.h"'
  local layers=(base math hull surface body witness depth pair scene model certify mesh monitor node bag view tool) i
  for ((i = 1; i < ${#layers[@]}; ++i)); do
    expect bad "${layers[i - 1]}/a.c" "#include \"rclc_closest_point/${layers[i]}/b.h\""
    expect bad "${layers[i - 1]}/a.h" "  #  include \"rclc_closest_point/${layers[i]}/b.h\" /* why */"
    expect good "${layers[i]}/a.c" "#include \"rclc_closest_point/${layers[i - 1]}/b.h\""
  done
  expect bad scene/a.c '#include "rclc_closest_point/model.h"'
  expect good joint_tree.h '#include "rclc_closest_point/model.h"'
  expect good certify.h '#include "rclc_closest_point/joint_tree.h"'
  expect good certify/a.c '#include "rclc_closest_point/certify.h"'
  expect bad model/a.c '#include "rclc_closest_point/certify.h"'
  expect bad scene.h '#include "rclc_closest_point/certify.h"'
  for i in depth exclusion control; do
    expect good $i/a.c '#include "rclc_closest_point/witness/spot.h"'
    expect good pair/a.c "#include \"rclc_closest_point/$i/a.h\""
    expect bad witness/a.c "#include \"rclc_closest_point/$i/a.h\""
    expect bad $i/a.c '#include "rclc_closest_point/pair/pair.h"'
  done
  expect bad depth/a.c '#include "rclc_closest_point/control/gains.h"'
  expect bad control/a.c '#include "rclc_closest_point/exclusion/exclusion.h"'
  expect good papers/a.c '#include "rclc_closest_point/scene.h"'
  expect good papers/a.c '#include "papers/b.h"'
  expect good papers/a.c '#include <stdio.h>'
  expect good tool/a.c '#include "papers/b.h"'
  expect bad monitor/a.c '#include "papers/b.h"'
  expect bad pair/a.c '#include "papers/b.h"'
  expect bad papers/a.c '#include "rclc_closest_point/model/model.h"'
  expect bad pair/a.c '#include "rclc_closest_point/joint_tree.h"'
  expect bad closest_point.h '#include "rclc_closest_point/model.h"'
  expect bad types.h '#include "rclc_closest_point/math/vec3.h"'
  expect bad closest_point.h '#include <stdio.h>'
  expect bad surface/a.c '#include <libxml/parser.h>'
  expect bad scene/a.c '#include <rcl/rcl.h>'
  expect bad surface/a.c '#include <stdio.h>'
  expect bad body/a.h '#include <stdio.h>'
  expect bad surface/a.c '#include "surface.h"'
  expect bad tool/a.c '#include "table.h"'
  expect bad surface/a.c '#include "../body/body.h"'
  expect bad surface/a.c '#include "rclc_closest_point/surface.h"'
  expect bad elsewhere/a.c '#include "rclc_closest_point/types.h"'
  expect good node/a.c '#include "rclc_closest_point/srv/certify.h"'
  expect bad body/a.c '#include "rclc_closest_point/msg/closest_point.h"'
}

if (($# > 0)); then
  check_tree "$1"
else
  self_test
  check_tree "$(cd "$(dirname "$0")/.." && pwd)"
fi
