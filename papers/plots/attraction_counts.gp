# How many of 1681 starts arrive, for each of the 27 points. Points 22 to 27 have several local minima.
# height 400
set style data histograms; set style histogram clustered gap 1
set style fill solid 0.9 noborder
set yrange [0:2150]; set ytics (0, 400, 800, 1200, 1681)
set xlabel 'point Q' offset 0,-1; set ylabel 'starts that arrive'
set key top right horizontal; set xtics 1 nomirror; set grid noxtics
set label 1 'inside' at 5,1780 center
set label 2 'on a side' at 13.5,1780 center
set label 3 'at a corner' at 18.5,1780 center
set label 4 'several minima' at 23.5,1780 center
do for [x in '10.5 16.5 20.5'] { set arrow from x,0 to x,1850 nohead lw 1 dt 3 }
plot 'attraction_counts.csv' using "newton":xtic(1) lt 1 title 'Newton', \
 '' using "saturated" lt 5 title 'Newton, saturated', \
 '' using "verbatim" lt 3 title 'eq. 1 as printed', \
 '' using "switching" lt 2 title 'switching law'
