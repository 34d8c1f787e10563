# SPDX-License-Identifier: Apache-2.0
# The scripts of the plots as one C source: awk -f plots.awk plots/*.gp
# A script begins with the lines "# CAPTION" and "# height NUMBER".

BEGIN { print "#include \"papers/study.h\"\n\nconst clp_plot_script clp_plot_scripts[] = {" }

function complain() {
  printf "%s: expected the lines \"# CAPTION\" and \"# height NUMBER\" at the top\n", FILENAME >"/dev/stderr"
  failed = 1
  exit 1
}

function quoted(text) {
  gsub(/["\\]/, "\\\\&", text)
  return "\"" text "\""
}

FNR == 1 {
  name = FILENAME
  sub(/.*\//, "", name)
  sub(/\.gp$/, "", name)
  if (count++ > 0) print "},"
  if ($0 !~ /^# ./) complain()
  print "{" quoted(name) ", " quoted(substr($0, 3)) ","
  next
}

FNR == 2 {
  if ($0 !~ /^# height [0-9]+$/) complain()
  print $3 ", "
  next
}

{ print quoted($0) " \"\\n\"" }

END {
  if (failed) exit 1
  print (count > 0 ? "}," : "") "\n{0}};"
}
