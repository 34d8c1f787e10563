# Curve parameters of the law's witnesses on A and on B, the first seconds from a wrong start, and the distance (Fig. 15); vertical lines: features change
# height 680
set multiplot layout 3,1
set xrange [0:200]
set lmargin 10
set rmargin 3
set key top right horizontal
set yrange [-0.1:1.45]
set ytics 0,0.5,1
set ylabel 'parameter on A'
plot 'planar-pair_changes.csv' using 't':(-0.1):(0):(1.55) with vectors nohead lc rgb '#c0c0c0' lw 1 notitle, \
 for [k=1:3] 'planar-pair_track.csv' using 't':(column('curve_a') == k ? column('u') : NaN) with lines lt k title sprintf('u_%d', k)
set ylabel 'parameter on B'
plot 'planar-pair_changes.csv' using 't':(-0.1):(0):(1.55) with vectors nohead lc rgb '#c0c0c0' lw 1 notitle, \
 for [k=1:3] 'planar-pair_track.csv' using 't':(column('curve_b') == k ? column('r') : NaN) with lines lt k title 'r_'.substr('abc', k, k)
set autoscale y
set yrange [0:*]
set ytics auto
set ylabel 'distance (m)'
set xlabel 't (s)'
unset key
plot 'planar-pair_track.csv' using 't':'distance' with lines lt 1
unset multiplot
