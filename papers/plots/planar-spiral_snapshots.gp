# A point on a spiral and its closest point on a planar body, every 2 s (Fig. 10); dotted: the initial convergence from a wrong start; dashed: the boundaries of the Voronoi regions
# height 760
set size ratio -1
set xrange [-1.4:2.75]
set yrange [-1.95:1.65]
set xlabel 'x (m)'
set ylabel 'y (m)'
set key bottom right
plot 'planar-spiral_exterior.csv' using 'x':'y' with lines lc rgb '#909090' dt 2 lw 1 title 'exterior Voronoi boundaries', \
 'planar-spiral_interior.csv' using 'x':'y' with lines lt 4 dt 2 lw 1.5 title 'medial axes', \
 'planar-spiral_snapshots.csv' using 'x':(column('t') > 12 ? column('y') : NaN) with lines lc rgb '#8fb4dd' lw 1 title 'closest pairs', \
 '' using 'x':(column('t') <= 12 ? column('y') : NaN) with lines lt 2 dt 3 lw 1.5 title 'initial convergence', \
 'planar-spiral_track.csv' using 'x':'y' with lines lt 1 lw 1.5 title 'point', \
 'planar-spiral_outline.csv' using 'x':'y' with lines lc black lw 3 title 'body', \
 'planar-spiral_events.csv' using 'x':'y' with points lt 2 pt 7 title 'events', \
 '' using 'x':'y':'feature' with labels offset 0,0.9 font ',10' notitle
