#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the example and draws its plot. Usage: plots.sh SAFETY_FILTER CELL FOLDER
set -eu
images=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$2" "$folder" > "$folder/log"
mkdir -p "$images"

cat > "$folder/safety_filter.gp" <<'END'
set encoding utf8
set datafile separator ','
set border lc rgb '#606060'
set grid lc rgb '#d8d8d8' lw 1 lt 1
set key opaque box lc rgb '#d8d8d8'
set linetype 1 lc rgb '#0b4f9c' lw 1.8
set linetype 2 lc rgb '#d1500f' lw 1.8
set linetype 3 lc rgb '#2a8a4a' lw 1.8
set linetype 4 lc rgb '#404040' lw 1.2 dt 2
set multiplot layout 3,1 margins 0.1,0.97,0.08,0.95 spacing 0,0.05
set xrange [0:10]
set format x ''
set key top center horizontal
set ylabel 'lower bound (mm)'
set yrange [0:150]
set title 'An arm among a person and a cell, four goals, barriers on the proven bound, 1 kHz'
plot 'accelerations.csv' using "t":(1e3*$2) with lines lt 1 title 'by accelerations', \
     'speeds.csv' using "t":(1e3*$2) with lines lt 3 title 'by speeds', \
     '' using "t":(1e3*$3) with lines lt 4 title 'margin'
unset title
set yrange [*:*]
set ylabel 'joint acceleration (rad/s²)'
set yrange [0:70]
plot 'hulls.csv' using "t":"acceleration" with lines lt 2 title 'person as hulls, 12 x 8 facets', \
     'accelerations.csv' using "t":"acceleration" with lines lt 1 title 'person as patches'
set ylabel 'its change in 1 ms'
set logscale y
set yrange [1e-4:100]
set format y '10^{%L}'
set format x '%g'
set xlabel 'time (s)'
plot 'hulls.csv' using "t":"change" with lines lt 2 title 'hulls', \
     'accelerations.csv' using "t":"change" with lines lt 1 title 'patches'
END
(cd "$folder" && gnuplot -e "set terminal pngcairo size 800,760 font 'sans,10'" \
  -e "set output 'safety_filter.png'" safety_filter.gp)
cp "$folder/safety_filter.png" "$images"
