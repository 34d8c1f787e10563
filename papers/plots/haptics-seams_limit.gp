# The stiffest shell: a press is tapped, 3 % below the predicted limit (it settles) and 3 % above it (it buzzes, lifts off, and sampling makes energy all the time).
# height 520
set multiplot layout 2,2 margins 0.11,0.97,0.11,0.93 spacing 0.1,0.16
unset key; set xrange [0:1]
set title sprintf('%.1f kN/m, 3 %% below the limit: force', below); set ylabel 'force (N)'
set yrange [0:8]; unset xlabel
plot 'haptics-seams_below.csv' using "t":"push" with lines lt 1 lw 1
set title sprintf('%.1f kN/m, 3 %% above: force', above); unset ylabel
plot 'haptics-seams_above.csv' using "t":"push" with lines lt 2 lw 1
set xlabel 'time (s)'; set ylabel 'energy (mJ)'
set title 'energy made by sampling'; set autoscale y
plot 'haptics-seams_below.csv' using "t":"created" with lines lt 1
unset ylabel
plot 'haptics-seams_above.csv' using "t":"created" with lines lt 2
unset multiplot
