# SPDX-License-Identifier: Apache-2.0
# The plots of docs/performance.md, from the CSV that the benchmarks write:
#   gnuplot -e "data='docs/data'; images='docs/images'" docs/figures/performance.gp
set datafile separator ','
set style line 1 lc rgb '#1f5fa8' lw 2 pt 7 ps 0.7
set style line 2 lc rgb '#c8551b' lw 2 pt 5 ps 0.7
set style line 3 lc rgb '#8a8f98' lw 1.5 dt 2
set border 3 lc rgb '#5a5f66'
set tics nomirror
set grid lc rgb '#dddddd' lw 1
set logscale xy
set format y '%g'
set terminal svg size 660,400 font 'DejaVu Sans,12' background rgb 'white'

is(value, name) = strcol(1) eq name ? value : NaN

# ---- Obstacles ----
set output images.'/cost_obstacles.svg'
set xlabel 'moving obstacles, 11 robot links against each'
set ylabel 'microseconds of a cycle, median'
set xrange [8:4000]
set yrange [0.8:1200]
set key bottom right
set label 1 'a cycle at 1 kHz' at 9,800 tc rgb '#5a5f66'
plot data.'/cell.csv' using 2:(is($7,'within')) ls 1 w lp title 'every pair within 0.8 m', \
     ''               using 2:(is($7,'nearest')) ls 2 w lp title 'the nearest pair alone', \
     1000 ls 3 notitle
unset label 1

# ---- Pairs ----
set output images.'/cost_pairs.svg'
set xlabel 'pairs of links stepped in a cycle'
set xrange [0.8:8000]
set yrange [0.8:8000]
set key top left
plot data.'/cell.csv' using 5:(is($7,'ranges')) ls 1 w lp \
       title '1,000 obstacles, ranges of 0.2 to 3.2 m', \
     ''               using 5:(is($7,'within')) ls 2 w lp \
       title '10 to 3,000 obstacles within 0.8 m', \
     0.2 * x ls 3 title '0.2 microseconds for each pair'

# ---- Patches ----
set output images.'/cost_patches.svg'
set xlabel 'faces of the ball'
set ylabel 'nanoseconds'
set xrange [6:5000]
set yrange [100:100000]
set key top left
plot data.'/patches.csv' using 2:(is($3,'patches')) ls 1 w lp title 'a step, rational biquadratic patches', \
     '' using 2:(is($3,'triangles')) ls 2 w lp title 'a step, triangles', \
     '' using 2:(is(1000*$5,'patches')) ls 1 dt 2 w lp title 'a query from scratch, patches', \
     '' using 2:(is(1000*$5,'triangles')) ls 2 dt 2 w lp title 'a query from scratch, triangles'
