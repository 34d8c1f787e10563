# The least distance over the pen's coordinate y, with the features that decide it (Fig. 4, right)
# height 420
set xlabel 'y (m)'
set ylabel 'distance (m)'
set xrange [0:22.5]
set yrange [0:18]
set key top left
plot 'pen-bowl-line_sweep.csv' using 'y':'distance' with lines lt 1 title 'computed', \
 'pen-bowl-line_table.csv' using 'y':'published' with points lt 2 pt 6 ps 1.4 title 'Table 1', \
 'pen-bowl-line_features.csv' using 'y':'distance' with points lt 6 pt 7 ps 0.6 title 'other features', \
 '' using 'y':'distance':'features' with labels rotate by 60 left offset 0.4,0.9 font ',10' notitle
