# Parameters of the patch that the witness is on, and the distance (Fig. 18); vertical lines: features change
# height 620
set multiplot layout 2,1
set xrange [0:10]
set lmargin 10
set rmargin 3
set key top right horizontal
set yrange [-0.1:1.75]
set ytics 0,0.5,1
set ylabel 'u (solid), v (dotted)'
plot 'spatial-helix_changes.csv' using 't':(-0.1):(0):(1.85) with vectors nohead lc rgb '#c0c0c0' lw 1 notitle, \
 '' using 't':(1.2):'feature' with labels font ',9' offset 0.9,0 notitle, \
 for [k=1:3] 'spatial-helix_track.csv' using 't':(column('patch') == k ? column('u') : NaN) with lines lt k title sprintf('S%d', k), \
 for [k=1:3] '' using 't':(column('patch') == k ? column('v') : NaN) with lines lt k dt 3 notitle
set autoscale y
set yrange [0:*]
set ytics auto
set ylabel 'distance (m)'
set xlabel 't (s)'
unset key
plot 'spatial-helix_track.csv' using 't':'distance' with lines lt 1
unset multiplot
