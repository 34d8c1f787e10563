# Normalized projection errors (Fig. 7) with K = 5/s, and those of both bodies together with three gains; dashed: exp(−Kt)
# height 620
set multiplot layout 2,1
set lmargin 11
set rmargin 3
set xrange [0:2]
set key top right
set xlabel 't (s)'
set ylabel 'normalized error'
plot for [k=1:4] 'ellipsoids_gain5.csv' using 't':'psi_'.substr('uvrs', k, k) with lines lt k title 'Ψ^'.substr('uvrs', k, k)
set xrange [0:6]
set yrange [1e-8:3]
set logscale y
set format y '1e%T'
K(k) = word('2 5 10', k)
plot for [k=1:3] sprintf('ellipsoids_gain%s.csv', K(k)) using 't':'residual' with lines lt k title sprintf('K = %s/s', K(k)), \
 for [k=1:3] exp(-x * K(k)) with lines lt k lw 1 dt 2 notitle
unset multiplot
