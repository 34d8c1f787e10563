# Starts that arrive at P* (white) and that do not (dark), and the way from one of them: Newton leaves the patch, with saturation it bounces off the sides, the switching law goes straight.
# height 310
set multiplot layout 1,3 margins 0.085,0.985,0.16,0.92 spacing 0.06,0
set palette defined (0 '#6d7f99', 1 '#ffffff'); set cbrange [0:1]; unset colorbox
unset key; unset grid; set size square
set xrange [-0.0125:1.0125]; set yrange [-0.0125:1.0125]; set xlabel 'u'
set xtics 0.25; set ytics 0.25; set ylabel 'v' offset 1,0
set label 1 'P*' at u,v point pt 7 ps 1 lc rgb '#0b4f9c' offset 0.8,0.6 front
laws = 'newton saturated switching'
do for [k=0:2] {
  if (k > 0) { unset ylabel }
  set title (k == 0 ? 'Newton' : k == 1 ? 'Newton, saturated' : 'switching law')
  plot 'attraction_maps.csv' using "u":"v":(column(word(laws, k + 1))) with image, \
   'attraction_paths.csv' using (column('law') == k ? column('u') : NaN):"v" \
     with linespoints lt 2 pt 7 ps 0.4 lw 1.5
}
unset multiplot
