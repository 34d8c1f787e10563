#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the example and draws its plots, as SVG and PNG. Usage: plots.sh TELEOPERATION FOLDER
set -eu
images=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder" > "$folder/log"
mkdir -p "$images"

cat > "$folder/style.gp" <<'END'
set encoding utf8
set datafile separator ','
set border lc rgb '#606060'
set grid lc rgb '#d8d8d8' lw 1 lt 1
set key opaque box lc rgb '#d8d8d8'
set linetype 1 lc rgb '#0b4f9c' lw 2.2 pt 7 ps 0.9
set linetype 2 lc rgb '#d1500f' lw 2.2 pt 5 ps 0.9
set linetype 3 lc rgb '#2a8a4a' lw 2.2 pt 9 ps 1
set linetype 4 lc rgb '#404040' lw 2.2 pt 3 ps 0.9
END

# draw NAME HEIGHT; the script on standard input
draw()
{
  cat > "$folder/$1.gp"
  (cd "$folder" && gnuplot \
    -e "set terminal svg size 800,$2 dynamic font 'sans,14' background '#ffffff'" \
    -e "set output '$1.svg'" style.gp "$1.gp")
  (cd "$folder" && gnuplot -e "set terminal pngcairo size 800,$2 font 'sans,10'" \
    -e "set output '$1.png'" style.gp "$1.gp")
  cp "$folder/$1.svg" "$folder/$1.png" "$images"
}

draw seams 560 <<'END'
set multiplot layout 2,1 margins 0.1,0.97,0.1,0.94 spacing 0,0.11
set ylabel 'force (N)'
set yrange [17.2:18.3]
set key top right horizontal
set title 'Sliding 2 mm above an ellipsoid, 1 kHz'
plot 'seams.csv' using "t":"facets" with lines lt 2 title 'polyhedron, 32 facets around', \
     '' using "t":"rounded" with lines lt 3 title 'rounded by 30 mm', \
     '' using "t":"shell" with lines lt 1 title 'eight NURBS patches'
unset title
set xlabel 'time (s)'
set ylabel 'change of the force in 1 ms (N)'
set logscale y
set yrange [1e-3:1]
unset key
set format y '10^{%L}'
plot 'seams.csv' using "t":"facets_step" with lines lt 2 notitle, \
     '' using "t":"rounded_step" with lines lt 3 notitle, '' using "t":"shell_step" with lines lt 1 notitle
END

draw contact 640 <<'END'
set multiplot layout 3,1 margins 0.1,0.97,0.08,0.95 spacing 0,0.05
set xrange [0:4.5]
set key top center horizontal
set yrange [20:180]
set ylabel 'height (mm)'
set format x ''
set title 'By waves, 20 ms each way: down, across two seams, hold, up'
plot 'contact_waves_20ms.csv' every 5 using "t":(1e3*$2) with lines lt 4 lw 1.2 title 'pulled to', \
     '' every 5 using "t":(1e3*$3) with lines lt 1 title 'master', '' every 5 using "t":(1e3*$4) with lines lt 2 title 'slave'
unset title
set key top right
set ylabel 'distance (mm)'
set yrange [0:30]
plot for [d in '0 5 20'] 'contact_waves_'.d.'ms.csv' every 5 using "t":(1e3*$6) with lines \
     lt (d eq '0' ? 1 : d eq '5' ? 2 : 3) title d.' ms'
set ylabel 'force on the hand (N)'
set yrange [0:10]
set format x '%g'
set xlabel 'time (s)'
plot for [d in '0 5 20'] 'contact_waves_'.d.'ms.csv' every 5 using "t":"force" with lines \
     lt (d eq '0' ? 1 : d eq '5' ? 2 : 3) title d.' ms'
END

draw energy 640 <<'END'
set multiplot layout 3,1 margins 0.1,0.97,0.08,0.95 spacing 0,0.05
set xrange [0:4.5]
set yrange [-0.05:0.25]
set ytics 0.1
set xzeroaxis lw 2 lc rgb '#404040'
set format x ''
set ylabel 'energy (J)'
set title 'What channel, slave and wall have taken in: the passivity observer'
do for [d in '0 5 20'] {
  if (d eq '20') {
    set format x '%g'
    set xlabel 'time (s)'
  }
  set label 1 d.' ms each way' at graph 0.02,0.6
  set key top right horizontal
  plot 'contact_direct_'.d.'ms.csv' every 5 using "t":"energy" with lines lt 2 title 'direct', \
       'contact_guarded_'.d.'ms.csv' every 5 using "t":"energy" with lines lt 3 title 'direct, controlled', \
       'contact_waves_'.d.'ms.csv' every 5 using "t":"energy" with lines lt 1 title 'waves'
  unset title
}
END

draw stiffest 420 <<'END'
set xlabel 'delay each way (ms)'
set ylabel 'stiffness of the wall (N/m)'
set logscale y
set yrange [80:100000]
set xrange [-0.5:20.5]
set format y '10^{%L}'
set key at graph 0.98,0.72
plot 'stiffest.csv' using "delay_ms":"waves" with points lt 3 title 'waves: the stiffest stable one', \
     '' using "delay_ms":"waves_predicted" with lines lt 3 lw 1.2 title 'the slave alone, predicted', \
     '' using "delay_ms":"direct" with points lt 1 title 'direct: the stiffest stable one', \
     '' using "delay_ms":"predicted" with lines lt 1 lw 1.2 title 'predicted', \
     '' using "delay_ms":"limit" with lines lt 2 title 'what the monitor lets through'
END
