# The least distance over the angle that the pen has turned by, with the features that decide it (Fig. 5), and how far from the plane x = 0 the closest point of the bowl lies
# height 640
set multiplot
set lmargin 10
set rmargin 3
set xrange [0:360]
set xtics 45
set size 1,0.66
set origin 0,0.34
set yrange [-1.2:10.5]
set ylabel 'distance (m)'
set key bottom right
low(d) = d > 175 && d < 183 ? 1 : d > 180 && d < 205 ? 2 : 0
plot 'pen-bowl-turn_sweep.csv' using 'degrees':'distance' with lines lt 1 title 'computed', \
 'pen-bowl-turn_table.csv' using 'degrees':'published' with points lt 2 pt 6 ps 1.4 title 'Table 2', \
 'pen-bowl-turn_features.csv' using 'degrees':'distance' with points lt 6 pt 7 ps 0.6 title 'other features', \
 '' using (low(column(1)) == 0 ? column(1) : NaN):'distance':'features' with labels rotate by 60 left offset 0.3,0.9 font ',10' notitle, \
 '' using (low(column(1)) == 1 ? column(1) : NaN):'distance':'features' with labels rotate by 70 right offset -0.1,-0.7 font ',10' notitle, \
 '' using (low(column(1)) == 2 ? column(1) : NaN):'distance':'features' with labels rotate by -70 left offset 0.2,-0.6 font ',10' notitle
set size 1,0.34
set origin 0,0
set yrange [0:4]
set ytics 1
set ylabel '|x| on the bowl (m)'
set xlabel 'angle (degrees)'
unset key
plot 'pen-bowl-turn_sweep.csv' using 'degrees':'x' with lines lt 4
unset multiplot
