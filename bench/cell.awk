# SPDX-License-Identifier: Apache-2.0
# The tables of a cell beside other libraries (docs/performance.md) from what bench_cell_peers writes:
# times, and instructions by bench/pairs.sh cells, in this order: with file=1 and 2 before each.

function column(text, number,    parts) { split(text, parts, ","); return parts[number + 1] }

# obstacles,question,"library","shapes",numbers...
{
  split($0, quoted, "\"")
  row = quoted[2] " | " quoted[4]
  size = column(quoted[1], 0)
  at = size SUBSEP column(quoted[1], 1) SUBSEP row
  rest = quoted[5]
}

quoted[2] != "" && !((size, row) in known) {
  known[size, row] = 1
  if (!(size in rows))
    sizes[++size_count] = size
  row_of[size, ++rows[size]] = row
}

file == 1 && quoted[2] != "" {
  us[at] = column(rest, 2); time[at] = column(rest, 3); error[at] = column(rest, 5); misses[at] = column(rest, 6)
}

file == 2 { counted[at] = column(rest, 3); pairs[size] = pairs[size] > column(rest, 1) ? pairs[size] : column(rest, 1) }

# How many times ours: bold where we lose.
function factor(ratio,    text)
{
  if (ratio == "")
    return "–"
  text = sprintf(ratio < 9.95 ? "%.2f" : "%.0f", ratio)
  return ratio < 1 ? "**" text "**" : text
}

function thousands(number,    text)
{
  text = sprintf("%.0f", number)
  while (text ~ /[0-9][0-9][0-9][0-9]($|,)/)
    sub(/[0-9][0-9][0-9]($|,)/, ",&", text)
  return text
}

function answers(size, question, row,    at, ours)
{
  at = size SUBSEP question SUBSEP row
  ours = size SUBSEP question SUBSEP row_of[size, 1]
  return (row == row_of[size, 1] && (at in us) ? sprintf("%.3g µs", us[at]) : factor(time[at])) \
    " | " ((at in counted) ? thousands(counted[at]) : "–") \
    " | " ((at in counted) ? factor(counted[at] / counted[ours]) : "–") \
    " | " ((at in error) && row != row_of[size, 1] ? error[at] (misses[at] > 0 ? " (" misses[at] " missed)" : "") : "–")
}

END {
  for (s = 1; s <= size_count; ++s) {
    size = sizes[s]
    printf "%s**%s obstacles**%s\n\n", (s > 1 ? "\n" : ""), thousands(size),
      (size in pairs) ? sprintf(", %.0f pairs of links within 0.8 m", pairs[size]) : ""
    print "| library | shapes | within 0.8 m: time | instructions | | error | the nearest alone: time | instructions | | error |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= rows[size]; ++k)
      printf "| %s | %s | %s |\n", row_of[size, k], answers(size, "within", row_of[size, k]), answers(size, "nearest", row_of[size, k])
  }
}
