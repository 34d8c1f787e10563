#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes arm_with_gripper.urdf and cell_with_arm.urdf from arm, gripper and cell, for URDF has no
# include. With --check it only compares, and fails when one of them is out of date.
set -eu
cd "$(dirname "$0")"

# What stands between <robot ...> and </robot>.
inside() {
  sed -e '1,/<robot /d' -e '/<\/robot>/d' "$1"
}

# fixed_joint NAME PARENT CHILD XYZ
fixed_joint() {
  cat <<EOF
  <joint name="$1" type="fixed">
    <parent link="$2"/>
    <child link="$3"/>
    <origin xyz="$4" rpy="0 0 0"/>
  </joint>
EOF
}

# robot NAME SENTENCE: the file around what is read from the standard input
robot() {
  cat <<EOF
<?xml version="1.0"?>
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- $2 Written by assemble.sh: edit its sources instead. -->
<robot name="$1">
EOF
  cat
  echo '</robot>'
}

arm_with_gripper() {
  {
    inside arm.urdf
    fixed_joint gripper_mount link_7 gripper_base '0 0 0.04'
    inside gripper.urdf
  } | robot arm_with_gripper 'The arm of arm.urdf with the gripper of gripper.urdf on its flange.'
}

cell_with_arm() {
  {
    inside cell.urdf
    fixed_joint arm_mount table base_link '-0.45 0 0.75'
    inside arm_with_gripper.urdf
  } | robot cell_with_arm 'The cell of cell.urdf with the arm of arm_with_gripper.urdf on its table.'
}

for model in arm_with_gripper cell_with_arm; do
  if [ "${1:-}" = --check ]; then
    $model | cmp - $model.urdf
  else
    $model > $model.urdf
  fi
done
