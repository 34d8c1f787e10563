#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_examples.sh CLOSEST_POINT README_EXAMPLE: every XML example of the documentation must pass
# `check`, what model_format.md shows of `check` must be what it prints, and the README's C example,
# built as README_EXAMPLE, must print what it says. A <patches> that stands alone is put into a link
# of its own. The example in C stays short enough to be read at once.
set -eu
tool=$1
readme_example=$2
docs=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# examples FILE PREFIX: writes the fenced xml blocks of FILE to PREFIX1.urdf, PREFIX2.urdf ...
examples() {
  awk -v prefix="$2" '
    /^```xml$/ { inside = 1; whole = 0; links = 0; name = prefix (++count) ".urdf"; next }
    /^```$/ && inside { inside = 0; if (!whole) print "</robot>" > name; close(name); next }
    !inside { next }
    /<robot / { whole = 1 }
    !whole && !started[name]++ { print "<robot name=\"example\">" > name }
    !whole && /^<patches/ { print "<link name=\"link_" (++links) "\">" > name }
    { print > name }
    !whole && /<\/patches>/ { print "</link>" > name }
  ' "$1"
}

examples "$docs/model_format.md" "$work/model_format_"
examples "$docs/../README.md" "$work/readme_"
count=0
for example in "$work"/*.urdf; do
  if ! "$tool" check "$example" > "$work/out" 2>&1; then
    echo "an example of the documentation fails:"
    cat "$example" "$work/out"
    exit 1
  fi
  count=$((count + 1))
done
echo "$count examples pass"
[ "$count" -ge 10 ]

"$tool" check "$docs/../urdf_patches/arm.urdf" | while IFS= read -r line; do
  if ! grep -qxF -e "$line" "$docs/model_format.md"; then
    echo "model_format.md shows another line than: $line"
    exit 1
  fi
done

printed=$(cd "$docs/../urdf_patches" && "$readme_example")
if [ -z "$printed" ] || ! grep -qF -e "it prints \`$printed\`" "$docs/../README.md"; then
  echo "the README's C example prints: $printed"
  exit 1
fi
if [ "$(wc -l < "$docs/../examples/closest_pair.c")" -gt 60 ]; then
  echo "examples/closest_pair.c has more than 60 lines"
  exit 1
fi
