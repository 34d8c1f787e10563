# SPDX-License-Identifier: Apache-2.0
# The pictures of docs/safety.md, from what bench_safety writes:
#   bench_safety 10000 > approaches.csv; bench_safety --one > one.csv
#   gnuplot -e "approaches='approaches.csv'; one='one.csv'; images='docs/images'" docs/figures/safety.gp

set datafile separator ','
set terminal svg size 900,520 font 'sans-serif,13' background '#ffffff'
set style line 1 lc '#2a6fb0' lw 2
set style line 2 lc '#c0392b' lw 2
set style line 3 lc '#555555' lw 2
set style line 4 lc '#27914a' lw 2
set grid lc '#dddddd'
set border lc '#888888'

# ---- One person walks past
set output images.'/safety_walk.svg'
set multiplot layout 2,1 margins 0.08,0.97,0.12,0.96 spacing 0.03
set xrange [0:7]
set format x ''
set ylabel 'm'
set yrange [0:3]
set key bottom left
plot one every 4 using 1:2 with lines ls 3 title 'true distance', \
     one every 4 using 1:3 with lines ls 1 title 'guaranteed (separation)', \
     one every 4 using 1:4 with lines ls 2 title 'required'
set format x '%g'
set xlabel 's'
set ylabel ''
set yrange [-0.05:2.2]
set key right at graph 0.76, graph 0.42
set ytics ('0' 0, '1' 1, 'CLEAR' 1.4, 'WARN' 1.7, 'STOP' 2.0)
plot one every 4 using 1:5 with lines ls 1 title 'speed scale', \
     one every 4 using 1:6 with lines ls 4 title "robot's pace", \
     one using 1:(1.4 + 0.3 * $7) with steps ls 2 title 'zone'
unset multiplot
set ytics auto

set key default
# ---- How far away ten thousand stops were
set output images.'/safety_margin.svg'
# 0: charges at sharp senses, 1: at slow ones, 2: who passes or roams
group(k) = stringcolumn(k) eq 'charge' || stringcolumn(k) eq 'heedless' ? 1 - column(k + 1) : 2
names = "'charged, sharp senses' 'charged, slow senses' 'passed or roamed'"
set multiplot layout 1,2 margins 0.08,0.97,0.12,0.9 spacing 0.08
set yrange [0:*]
set xlabel 'm'
set xrange [0:1.5]
set title 'true distance at STOP, less what truth requires'
set ylabel 'approaches in 25 mm'
plot for [g=0:2] approaches skip 1 \
  using (group(1) == g && column(3) == 1 ? column(5) : NaN) bins=60 binrange [0:1.5] \
  with steps ls g+1 title word(names, g + 1)
set xrange [0:2.5]
set title 'least true distance while the robot moves'
set ylabel ''
plot for [g=0:2] approaches skip 1 \
  using (group(1) == g && column(4) < 9 ? column(4) : NaN) bins=100 binrange [0:2.5] \
  with steps ls g+1 title word(names, g + 1)
unset multiplot
