# A point on a helix and its closest point on a body of three patches, every 0.1 s (Fig. 16); the first ones converge from a wrong start
# height 720
set view 68, 118, 0.72, 1
set view equal xyz
set xrange [-0.8:0.8]
set yrange [-0.8:0.8]
set zrange [-1.85:1.85]
set xyplane at -1.85
set key top right reverse Left
set xlabel 'x (m)'
set ylabel 'y (m)'
set zlabel 'z (m)' rotate parallel
set xtics 0.5
set ytics 0.5
set ztics 0.5
splot for [k=1:3] 'spatial-helix_surface.csv' using (column('patch') == k ? column('x') : NaN):'y':'z' with lines lw 1 lc rgb word('#9cbbe0 #ecb999 #a3d1b0', k) title sprintf('S%d', k), \
 'spatial-helix_curves.csv' using 'x':'y':'z' with lines lc black lw 2.5 title 'curves', \
 'spatial-helix_snapshots.csv' using 'x':'y':'z' with lines lc rgb '#e08a5a' lw 1 title 'closest pairs', \
 'spatial-helix_track.csv' using 'x':'y':'z' with lines lt 1 title 'point'
