# The flat patch from above: starts from which the switching law finds the place below Q (light) and those from which it stops on the shore (dark), and two ways.
# height 470
set size ratio -1; unset grid; set key outside right top reverse Left
set xlabel 'x (1)'; set ylabel 'y (1)'
set xrange [-1.5:1.75]; set yrange [-1.6:1.15]
plot 'domain_starts.csv' using (column('reached') > 0.5 ? column('x') : NaN):"y" with points \
   pt 6 ps 0.45 lw 0.8 lc rgb '#8a94a6' title 'arrive', \
 '' using (column('reached') > 0.5 ? NaN : column('x')):"y" with points pt 7 ps 0.5 \
   lc rgb '#44546a' title 'stop elsewhere', \
 'domain_paths.csv' using "x":"y" with lines lt 2 lw 3 title 'two ways', \
 '+' using (q_x):(q_y) every ::::0 with points pt 7 ps 1.6 lc rgb '#0b4f9c' title 'Q', \
 '+' using (stuck_x):(stuck_y) every ::::0 with points pt 2 ps 1.6 lw 3 lc rgb '#8a3fa0' \
   title 'a local minimum'
