# In, along the patch, and out: the force on the finger and of the wall, the depth, the energy that has gone into the coupler, and the witness.
# height 760
set multiplot layout 4,1 margins 0.1,0.97,0.07,0.98 spacing 0,0.035
set xrange [0:4]; set format x ''
set ylabel 'force (N)'
plot 'haptics_touch.csv' using "t":"force" with lines lt 1 title 'finger', '' using "t":"wall" with lines lt 2 title 'wall'
unset key; set ylabel 'depth (mm)'
plot 'haptics_touch.csv' using "t":"depth" with lines lt 1
set ylabel 'energy (J)'
plot 'haptics_touch.csv' using "t":"energy" with lines lt 3
set ylabel 'parameters (1)'; set format x; set xlabel 'time (s)'; set key top center
plot 'haptics_touch.csv' using "t":"u" with lines lt 1 title 'u', '' using "t":"v" with lines lt 2 title 'v'
unset multiplot
