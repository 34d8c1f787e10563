# A point goes round an edge of a body of five flat patches and a curved one: witness and point every 60 ms, and the parameters of the patch that the witness is on. The band is the time on the edge.
# height 380
set multiplot layout 1,2 margins 0.03,0.98,0.14,0.93 spacing 0.10,0
unset key; unset grid; set border 0; unset xtics; unset ytics; unset ztics
set view 68,335,1.45,1.1; set view equal xyz
splot 'voronoi-switching_patch.csv' using "x":"y":"z" with lines lc rgb '#b8b8b8' lw 1, \
 'voronoi-switching_lines.csv' using "x":"y":"z" with linespoints lt 2 lw 1.5 pt 7 ps 0.5
set border 31; set grid; set xtics 0.25; set ytics; set key bottom left
set xlabel 'time (s)'; set ylabel 'patch parameters (1)' offset 1,0
set xrange [0:1.5]; set yrange [-0.02:1.02]
set object 1 rectangle from enters, graph 0 to leaves, graph 1 fc rgb '#ececec' behind fs solid noborder
set label 1 'S1' at 0.45,0.95; set label 2 'c1' at middle,0.95 center; set label 3 'S2' at 1.36,0.95
plot 'voronoi-switching_track.csv' using "t":"u" with lines lt 1 title 'u', \
 '' using "t":"v" with lines lt 2 title 'v'
unset multiplot
