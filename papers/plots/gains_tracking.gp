# The switching law behind a moving point, Euler's rule at 1 kHz: witness and point every 80 ms with K = 50, and normalized projection errors for three gains.
# height 660
set multiplot layout 2,2 margins 0.10,0.98,0.09,0.94 spacing 0.13,0.16
unset key; unset grid; set border 0; unset xtics; unset ytics; unset ztics
set title 'K = 50' offset 0,-1
set view 42,20,1.8,1.1; set view equal xyz
splot 'gains_patch.csv' using "x":"y":"z" with lines lc rgb '#b8b8b8' lw 1, \
 'gains_lines.csv' using "x":"y":"z" with linespoints lt 2 lw 1.5 pt 7 ps 0.4
set border 31; set grid; set xtics 0.4; set ytics; set key right
set xlabel 'time (s)'; set ylabel 'normalized error (1)'; set xrange [0:1.6]
files = 'good fast slow'
do for [k=1:3] {
  set title (k == 1 ? 'K = 50' : k == 2 ? 'K = 1300: chatter' : 'K = 0.02') offset 0,0
  file = 'gains_'.word(files, k).'.csv'
  if (k == 3) { set key bottom left }
  plot file using "t":"psi_v" with lines lt 2 lw (k == 2 ? 0.8 : 2) title 'Ψ_v', \
   file using "t":"psi_u" with lines lt 1 lw (k == 2 ? 0.8 : 2) title 'Ψ_u'
}
unset multiplot
