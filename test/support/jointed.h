/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_JOINTED_H
#define TEST_SUPPORT_JOINTED_H

/* An arm of joints of every kind on a pedestal, a cart that floats, and somebody who hangs on
 * nothing: three trees in one file. */
static const char jointed_text[] =
    "<robot name='jointed'>"
    "<link name='world'/>"
    "<link name='floor'><visual><geometry><box size='9 9 0.1'/></geometry></visual></link>"
    "<link name='base'><patches><box size='0.4 0.4 0.2'/></patches></link>"
    "<link name='upper'><patches><capsule radius='0.05' length='0.5'/></patches></link>"
    "<link name='lower'><patches><capsule radius='0.04' length='0.4'/></patches></link>"
    "<link name='wrist'/>"
    "<link name='palm'><patches><sphere radius='0.06'/></patches></link>"
    "<link name='thumb'><patches><sphere radius='0.02'/></patches></link>"
    "<link name='finger'><patches><sphere radius='0.02'/></patches></link>"
    "<link name='cart'><patches><box size='0.5 0.5 0.5'/></patches></link>"
    "<link name='head'><patches><sphere radius='0.15'/></patches></link>"
    "<joint name='ground' type='fixed'><parent link='world'/><child link='floor'/></joint>"
    "<joint name='mount' type='fixed'><parent link='world'/><child link='base'/>"
    "<origin xyz='0.1 -0.2 0.5' rpy='0.1 0.2 0.3'/></joint>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/>"
    "<origin xyz='0 0 0.1' rpy='0 0.4 0'/><axis xyz='0 0 1'/>"
    "<limit lower='-3' upper='3' velocity='3' effort='1'/></joint>"
    "<joint name='elbow' type='revolute'><parent link='upper'/><child link='lower'/>"
    "<origin xyz='0.3 0.1 0.5' rpy='0.5 0 0'/><axis xyz='0 1 0.5'/>"
    "<limit lower='-2' upper='2' velocity='3' effort='1'/></joint>"
    "<joint name='slide' type='prismatic'><parent link='lower'/><child link='wrist'/>"
    "<origin xyz='0 0 0.4' rpy='0 0 1'/><axis xyz='1 0 0'/>"
    "<limit lower='-0.3' upper='0.3' velocity='1' effort='1'/></joint>"
    "<joint name='roll' type='continuous'><parent link='wrist'/><child link='palm'/>"
    "<origin xyz='0.1 0 0.1'/><axis xyz='0 0 1'/></joint>"
    "<joint name='grip' type='prismatic'><parent link='palm'/><child link='thumb'/>"
    "<origin xyz='0.05 0 0.08'/><axis xyz='1 0 0'/>"
    "<limit lower='0' upper='0.05' velocity='0.2' effort='1'/></joint>"
    "<joint name='mirror' type='prismatic'><parent link='palm'/><child link='finger'/>"
    "<origin xyz='-0.05 0 0.08'/><axis xyz='1 0 0'/><mimic joint='grip' multiplier='-1' "
    "offset='0.001'/>"
    "<limit lower='-0.05' upper='0.01' velocity='0.2' effort='1'/></joint>"
    "<joint name='float' type='floating'><parent link='world'/><child link='cart'/></joint>"
    "</robot>";

#endif
