#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build into a scratch prefix and uses it as a stranger would: through find_package and
# through pkg-config, from C and from C++. Usage: test_external.sh BUILD CMAKE CC
set -euo pipefail

build=$1 cmake=$2 cc=$3
source=$(cd "$(dirname "$0")" && pwd)
case $cc in
  *clang*) cxx=${cc/clang/clang++} ;;
  *gcc*) cxx=${cc/gcc/g++} ;;
  *) cxx=${cc/%cc/c++} ;;
esac
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
prefix=$scratch/prefix

# `expect PROGRAM`: it runs and sees the box.
expect()
{
  local output
  output=$("$@")
  if [[ $output != "6 faces, volume 6" ]]; then
    echo "$1 printed: $output" >&2
    exit 1
  fi
}

"$cmake" --install "$build" --prefix "$prefix" >/dev/null
libraries=$(dirname "$(find "$prefix" -name 'libclosest_point.*' -print -quit)")

echo "-- find_package"
"$cmake" -S "$source" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null
"$cmake" --build "$scratch/build"
expect "$scratch/build/external"
expect "$scratch/build/external_model"

echo "-- pkg-config"
# Where ROS is, its environment says where Cyclone DDS is.
environment=${LD_LIBRARY_PATH-}
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries:$environment
strict="-Wall -Wextra -Wpedantic -Werror"
# shellcheck disable=SC2046,SC2086
{
  $cc -std=c11 $strict "$source/external.c" -o "$scratch/external" \
    $(pkg-config --cflags --libs rclc_closest_point)
  $cxx -std=c++11 $strict "$source/external_model.cpp" -o "$scratch/external_model" \
    $(pkg-config --cflags --libs rclc_closest_point_model)
}
expect "$scratch/external"
expect "$scratch/external_model"

echo "-- what else is installed"
LD_LIBRARY_PATH=$environment "$prefix/bin/closest_point" --version
for file in share/man/man1/closest_point.1 share/rclc_closest_point/msg/ClosestPoint.msg \
            share/rclc_closest_point/urdf_patches include/rclc_closest_point/closest_point.h; do
  [[ -e $prefix/$file ]] || { echo "not installed: $file" >&2; exit 1; }
done
headers=$(find "$prefix/include/rclc_closest_point" -maxdepth 1 -type f -printf '%f\n' | sort | tr '\n' ' ')
[[ $headers == "certify.h closest_point.h derivative.h joint_derivative.h joint_tree.h model.h record.h scene.h status.h types.h " ]] ||
  { echo "installed headers: $headers" >&2; exit 1; }
