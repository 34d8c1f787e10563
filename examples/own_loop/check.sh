#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example keeps its distance, also with more parts in a link, more joints and more links than it
# would guess, which change nothing: those parts lie within another. What is no such cell it refuses.
# Usage: check.sh OWN_LOOP MODELS
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk '
  /<link name="table">/ { table = 1 }
  table && /<\/link>/ {
    table = 0
    for (k = 0; k < 5; ++k)
      print "<patches name=\"more_" k "\"><origin xyz=\"" 0.2 * k - 0.4 " 0 0.73\"/><box size=\".1 .1 .02\"/></patches>"
  }
  /<\/robot>/ {
    for (k = 0; k < 100; ++k)
      print "<link name=\"more_" k "\"/><joint name=\"more_" k "\" type=\"fixed\">" \
        "<parent link=\"cell\"/><child link=\"more_" k "\"/></joint>"
  }
  { print }' "$2/cell_with_arm.urdf" > "$folder/more.urdf"
[ "$(awk '/<link name="table">/, /<\/link>/' "$folder/more.urdf" | grep -c '<patches')" = 10 ]

"$1" "$2/cell_with_arm.urdf" > "$folder/plain.txt"
"$1" "$folder/more.urdf" > "$folder/more.txt"
cmp "$folder/plain.txt" "$folder/more.txt"
for other in cell.urdf arm.urdf; do
  status=0
  "$1" "$2/$other" 2> "$folder/refused.txt" || status=$?
  [ "$status" = 1 ] && grep -q 'expected a URDF with this arm' "$folder/refused.txt"
done
