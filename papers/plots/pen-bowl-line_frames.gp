# Bowl and pen, cut by the plane x = 0, in the nine frames of Table 1, with their closest points (Fig. 4, left)
# height 760
set size ratio -1
set xlabel 'y (m)'
set ylabel 'z (m)'
set xrange [-3:25]
set yrange [-23:8.5]
set key top right
plot 'pen-bowl-line_bowl.csv' using 'y':'z' with lines lc black lw 2.5 title 'bowl', \
 'pen-bowl-line_pens.csv' using 'y':'z' with lines lt 1 lw 1.2 title 'pen', \
 'pen-bowl-line_pairs.csv' using 'y':'z' with linespoints lt 2 pt 7 title 'closest points'
