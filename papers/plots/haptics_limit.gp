# At the limit of the integration: the depth of the pressed proxy after a small disturbance, with a wall 2 % softer and 2 % stiffer than predicted.
# height 420
set xlabel 'step of 1 ms'; set ylabel 'depth (µm)'
set xrange [0:400]
plot 'haptics_limit.csv' using 2:($1 > predicted ? 1e3*$3 : NaN) with lines lt 2 lw 1 title '2 % stiffer', '' using 2:($1 < predicted ? 1e3*$3 : NaN) with lines lt 1 lw 1 title '2 % softer'
