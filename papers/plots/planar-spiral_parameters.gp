# Curve parameters of the law's witness and the signed distance (Fig. 11); vertical lines: the computed events
# height 560
set multiplot layout 2,1
set xrange [0:200]
set lmargin 10
set rmargin 3
set key top left horizontal
set yrange [-0.1:1.4]
set ylabel 'parameter'
set ytics 0,0.5,1
plot 'planar-spiral_events.csv' using 't':(-0.1):(0):(1.5) with vectors nohead lc rgb '#909090' lw 1 dt 2 notitle, \
 for [k=1:3] 'planar-spiral_track.csv' using 't':(column('curve') == k ? column('u') : NaN) with lines lt k title sprintf('u_%d', k)
set yrange [-0.8:1.6]
set ylabel 'signed distance (m)'
set xlabel 't (s)'
unset key
set ytics -0.5,0.5,1.5
plot 'planar-spiral_events.csv' using 't':(-0.8):(0):(2.4) with vectors nohead lc rgb '#909090' lw 1 dt 2, \
 '' using 't':(1.35):'feature' with labels font ',9' rotate by 90 offset 0.7,0 notitle, \
 0 with lines lc rgb '#606060' lw 1, \
 'planar-spiral_track.csv' using 't':'distance' with lines lt 1
unset multiplot
