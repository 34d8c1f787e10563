# Parameters of the patches that the law's witnesses are on, and the distance (Fig. 20), from a wrong start; vertical lines: features change
# height 700
set multiplot layout 3,1
set xrange [0:10]
set lmargin 10
set rmargin 3
set key top right horizontal
set yrange [-0.1:1.75]
set ytics 0,0.5,1
set ylabel 'A: u, v (dotted)'
plot 'spatial-pair_changes.csv' using 't':(column('side') == 0 ? -0.1 : NaN):(0):(1.85) with vectors nohead lc rgb '#c0c0c0' lw 1 notitle, \
 '' using 't':(column('side') == 0 ? 1.2 : NaN):'feature' with labels font ',9' offset 1.2,0 notitle, \
 for [k=1:3] 'spatial-pair_track.csv' using 't':(column('patch_a') == k ? column('u') : NaN) with lines lt k title sprintf('S_{A%d}', k), \
 for [k=1:3] '' using 't':(column('patch_a') == k ? column('v') : NaN) with lines lt k dt 3 notitle
set ylabel 'B: r, s (dotted)'
plot 'spatial-pair_changes.csv' using 't':(column('side') == 1 ? -0.1 : NaN):(0):(1.85) with vectors nohead lc rgb '#c0c0c0' lw 1 notitle, \
 '' using 't':(column('side') == 1 ? 1.2 : NaN):'feature' with labels font ',9' offset 1.2,0 notitle, \
 for [k=1:3] 'spatial-pair_track.csv' using 't':(column('patch_b') == k ? column('r') : NaN) with lines lt k title sprintf('S_{B%d}', k), \
 for [k=1:3] '' using 't':(column('patch_b') == k ? column('s') : NaN) with lines lt k dt 3 notitle
set autoscale y
set yrange [0:*]
set ytics auto
set ylabel 'distance (m)'
set xlabel 't (s)'
unset key
plot 'spatial-pair_track.csv' using 't':'distance' with lines lt 1
unset multiplot
