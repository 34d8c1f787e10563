# Feedback linearization with feedforward, RK2 at 1 kHz: witness and point every 125 ms with K = 100, and normalized projection errors. Dashed: the decay of a linear error.
# height 640
set multiplot layout 2,2 margins 0.10,0.965,0.09,0.94 spacing 0.14,0.16
unset key; unset grid; set border 0; unset xtics; unset ytics; unset ztics
set view 55,20,1.5,1.1; set view equal xyz
splot 'convergence_patch.csv' using "x":"y":"z" with lines lc rgb '#b8b8b8' lw 1, \
 'convergence_lines.csv' using "x":"y":"z" with linespoints lt 2 lw 1.5 pt 7 ps 0.4
set border 31; set grid; set xtics; set ytics; set key right
set xlabel 'time (s)'; set ylabel 'normalized error (1)'
set xrange [0:0.15]; set xtics 0.05
set title 'K = 100'
plot 'convergence_gain_100.csv' using "t":"psi_u" with lines lt 1 title 'Ψ_u', \
 '' using "t":"psi_v" with lines lt 2 title 'Ψ_v'
set xrange [0:0.025]; set xtics 0.005; set title 'K = 1000'
plot 'convergence_gain_1000.csv' using "t":"psi_u" with linespoints lt 1 ps 0.5 \
   title 'Ψ_u', '' using "t":"psi_v" with linespoints lt 2 ps 0.5 title 'Ψ_v'
set xrange [0:100]; set xtics 25; set xlabel 'steps of 1 ms'
set logscale y; set yrange [1e-8:2]; set format y '10^{%T}'
set title 'the larger of both'; set ylabel 'normalized error (1)' offset 1,0
larger = "(abs(column('psi_u')) > abs(column('psi_v')) ? abs(column('psi_u')) : abs(column('psi_v')))"
plot 'convergence_gain_100.csv' using "step":@larger with lines lt 1 title 'K = 100', \
 'convergence_gain_1000.csv' using "step":@larger with lines lt 2 title 'K = 1000', \
 0.7*factor_100**x with lines lt 1 lw 1.2 dt 2 notitle, \
 0.7*factor_1000**x with lines lt 2 lw 1.2 dt 2 notitle
unset multiplot
