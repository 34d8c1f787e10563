# The witness on the patch and in the plane of its parameters; normalized projection errors and the distance over time. The gray band is the time on the side u = 0.
# height 640
set multiplot layout 2,2 margins 0.09,0.97,0.09,0.94 spacing 0.13,0.17
unset key; unset grid; set border 0; unset xtics; unset ytics; unset ztics
set title 'on the patch'
set view 48,322,1.55,1.1; set view equal xyz
splot 'invariance_patch.csv' using "x":"y":"z" with lines lc rgb '#b8b8b8' lw 1, \
 'invariance_path.csv' using "x":"y":"z" with lines lt 2 lw 3.5, \
 'invariance_points.csv' using "x":"y":"z" with points pt 7 ps 1 lc rgb '#404040', \
 '' using "x":"y":"z":(stringcolumn(0) eq '0' ? 'Q' : 'P_0') with labels offset 0.8,0.9
set border 31; set grid; set xtics; set ytics
set title 'parameters'
set xlabel 'u'; set ylabel 'v'; set xrange [-0.03:0.3]; set yrange [0:1]
set arrow 1 from 0,0 to 0,1 nohead lc rgb '#404040' lw 2
plot 'invariance_path.csv' using "u":"v" with lines lt 2 lw 3.5
unset arrow 1; set autoscale
set xlabel 'time (s)'; set xrange [0:0.3]
set object 1 rectangle from t_1, graph 0 to t_2, graph 1 fc rgb '#ececec' behind fs solid noborder
set title 'projection errors'; set ylabel 'normalized error (1)'; set key bottom right
plot 'invariance_path.csv' using "t":"psi_u" with lines lt 1 title 'Ψ_u', \
 '' using "t":"psi_v" with lines lt 2 title 'Ψ_v'
set title 'distance'; set ylabel '|ΔR| (units of Table I)'; unset key
plot 'invariance_path.csv' using "t":"distance" with lines lt 1
unset multiplot
