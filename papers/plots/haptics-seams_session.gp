# A stroke over the shell at 1 kHz: the device's way and the proxy's in contact, seen from above, with contour lines; forces, signed distance and energy over time. Gray: seams, and when they are crossed.
# height 760
set multiplot layout 2,2 margins 0.09,0.97,0.08,0.95 spacing 0.13,0.13
set title 'the shell from above'
set size ratio -1; set xlabel 'x (mm)'; set ylabel 'y (mm)'; set key bottom right
set xrange [-130:210]; set yrange [-160:160]; set xtics 100; set ytics 50
set arrow 1 from -120,0 to 200,0 nohead lc rgb '#808080' lw 2
set arrow 2 from 0,-100 to 0,150 nohead lc rgb '#808080' lw 2
set label 1 'S_1' at 100,55; set label 2 'S_2' at -75,65
set label 3 'S_3' at 100,-45; set label 4 'S_4' at -75,-45
plot 'haptics-seams_shell.csv' using "x":"y" with lines lc rgb '#b8b8b8' lw 1 notitle, \
 'haptics-seams_session.csv' using (column("push")>0?1e3*$5:NaN):(1e3*$6) with lines lt 2 lw 5 title 'proxy in contact', \
 '' using (1e3*$2):(1e3*$3) with lines lt 1 lw 1.5 title 'device'
unset label; unset arrow; set size noratio; set autoscale; set xtics autofreq
set ytics autofreq; set xlabel 'time (s)'; set xrange [0:2.5]
set arrow 1 from t_1, graph 0 to t_1, graph 1 nohead lc rgb '#808080' lw 1.5 back
set arrow 2 from t_2, graph 0 to t_2, graph 1 nohead lc rgb '#808080' lw 1.5 back
set title 'force'; set ylabel 'force (N)'; set key top right
set yrange [0:6.5]
plot 'haptics-seams_session.csv' using "t":"push" with lines lt 1 title 'shell on proxy', \
 '' using "t":"motor" with lines lt 2 lw 1.2 title 'motor on hand'
set title 'signed distance of the proxy'; set ylabel 'distance (mm)'; set key top center
set yrange [-0.6:1.2]
plot 'haptics-seams_session.csv' using "t":"distance" with lines lt 1 title 'integrated', \
 '' every 25 using "t":"certified" with points lt 2 ps 0.5 title 'certified'
set yrange [0:25]; set title 'energy'; set ylabel 'energy (mJ)'; set key top right
plot 'haptics-seams_session.csv' using "t":"work" with lines lt 1 title 'put in by the device', \
 '' using "t":"stored" with lines lt 3 title 'stored', \
 '' using "t":"lost" with lines lt 2 title 'lost in the coupler', \
 '' using "t":"created" with lines lt 4 title 'made by sampling'
unset multiplot
