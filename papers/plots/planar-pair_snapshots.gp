# Body B turns on an inward spiral about body A: the twelve instants with the active features of A and B (Fig. 14)
# height 740
set size ratio -1
unset border
unset tics
unset grid
unset key
set lmargin 1
set rmargin 1
set tmargin 1
set bmargin 1
set xrange [-4.4:30.2]
set yrange [-26.6:6]
set arrow from -3.4,-25.9 to -1.4,-25.9 heads size 0.25,90 lc rgb '#404040'
set label '2 m' at -2.4,-25.3 center
plot 'planar-pair_outlines.csv' using 'x':(column('body') == 1 ? column('y') : NaN) with lines lt 1 lw 2, \
 '' using 'x':(column('body') == 2 ? column('y') : NaN) with lines lt 3 lw 2, \
 'planar-pair_lines.csv' using 'x':'y' with linespoints lt 2 pt 7 ps 0.4, \
 'planar-pair_titles.csv' using 'x':'y':'title' with labels font ',10'
