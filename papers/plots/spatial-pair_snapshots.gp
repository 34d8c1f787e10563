# Body B (violet) at five instants about body A (patches blue, orange, green), and the law's witnesses (Fig. 19); at 0 s they are at their wrong start
# height 600
set view 40, 205, 2.6, 1
set view equal xyz
set xyplane at -1
set xrange [-2.4:2.4]
set yrange [-2.4:2.4]
set zrange [-2.4:2.4]
unset border
unset tics
unset grid
unset key
times = '0 3 4.7 6.4 9.4'
set multiplot layout 2,3
do for [n=1:5] {
set title sprintf('%d:  t = %s s', n, word(times, n)) offset 0,-2
splot for [k=1:3] 'spatial-pair_surface0.csv' using (column('patch') == k ? column('x') : NaN):'y':'z' with lines lw 1 lc rgb word('#9cbbe0 #ecb999 #a3d1b0', k), \
 sprintf('spatial-pair_surface%d.csv', n) using 'x':'y':'z' with lines lw 1 lc rgb '#cfc3e2', \
 'spatial-pair_curves0.csv' using 'x':'y':'z' with lines lc black lw 2, \
 sprintf('spatial-pair_curves%d.csv', n) using 'x':'y':'z' with lines lc black lw 2, \
 'spatial-pair_witnesses.csv' using (column('snapshot') == n ? column('x') : NaN):'y':'z' with linespoints lt 2 pt 7 ps 0.8 lw 3
}
set title 'axes, 1 m each' offset 0,-2
set for [k=1:3] arrow k from 0,0,0 to (k==1),(k==2),(k==3) lc rgb '#404040' lw 2
set for [k=1:3] label k word('x y z', k) at 1.25*(k==1),1.25*(k==2),1.25*(k==3) center
splot '-' with points pt 7 ps 0.5 lc rgb '#404040'
0,0,0
e
unset multiplot
