# SPDX-License-Identifier: Apache-2.0
# The picture of docs/certify.md, from what bench_certify --csv writes:
#   gnuplot -e "data='docs/data'; images='docs/images'" docs/figures/certify.gp
set datafile separator ','
set style line 1 lc rgb '#1f5fa8' lw 2
set style line 2 lc rgb '#c8551b' lw 2
set border 3 lc rgb '#5a5f66'
set tics nomirror
set grid lc rgb '#dddddd' lw 1
set terminal svg size 900,640 font 'DejaVu Sans,12' background rgb 'white'
set output images.'/certify.svg'

of(motion, value) = column(1) == motion ? value : NaN

set multiplot layout 3,1 margins 0.08,0.97,0.08,0.94 spacing 0.05
set xrange [0:5]
set ylabel 'm'
set format x ''
set key outside top center horizontal
do for [m = 1:3] {
  if (m == 3) { set format x '%g'; set xlabel 's' }
  plot data.'/certify.csv' using 2:(of(m, $3)) ls 1 w l title m == 1 ? 'distance, sampled' : '', \
       ''                  using 2:(of(m, $4)) ls 2 w steps title m == 1 ? 'proven for all of 100 ms' : ''
}
unset multiplot
