# Two ellipsoids, a wrong start (stars) and the extremal pair (dashed), before both begin to move (Fig. 6)
# height 560
set view 62, 150, 1.35, 1
set view equal xyz
set xyplane at -1.6
set key top left reverse Left
set xlabel 'x (m)'
set ylabel 'y (m)'
set zlabel 'z (m)' rotate parallel
set xtics 1
set ytics 1
set ztics 1
splot 'ellipsoids_bodies.csv' using (column('body') == 1 ? column('x') : NaN):'y':'z' with lines lw 1 lc rgb '#6f9fd6' notitle, \
 '' using (column('body') == 2 ? column('x') : NaN):'y':'z' with lines lw 1 lc rgb '#6fbf85' notitle, \
 'ellipsoids_witnesses.csv' using (column('right') == 0 ? column('x') : NaN):'y':'z' with linespoints lt 2 pt 3 ps 2 title 'start', \
 '' using (column('right') == 1 ? column('x') : NaN):'y':'z' with linespoints lc black lw 2.5 dt 2 pt 7 title 'extremal pair', \
 'ellipsoids_names.csv' using 'x':'y':'z':'name' with labels font ',16' notitle
