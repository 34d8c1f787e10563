# SPDX-License-Identifier: Apache-2.0
# The tables of docs/peers.md from what bench_pairs writes: times, instructions, verdicts, in this
# order: with file=1, 2 and 3 before each. Ours are the first two rows of every pair: by the default tolerance, and by 1e-12.

function column(text, number,    parts) { split(text, parts, ","); return parts[number + 1] }

# "pair","name","representation",default or set,tolerance,numbers...
{
  split($0, quoted, "\"")
  key = quoted[2] SUBSEP quoted[4] SUBSEP quoted[6]
  rest = quoted[7]
}

file == 1 {
  if (!(quoted[2] in rows))
    pairs[++pair_count] = quoted[2]
  ++rows[quoted[2]]
  id = quoted[2] SUBSEP rows[quoted[2]]
  name[id] = quoted[4]; how[id] = quoted[6]; key_of[id] = key
  usual[id] = column(rest, 1) == "default"; tolerance[id] = column(rest, 2)
  ns[id] = column(rest, 3); time[id] = column(rest, 4); worst[id] = column(rest, 5); misses[id] = column(rest, 6)
}

file == 2 && quoted[4] == "this library in groups" { shared[quoted[2], column(rest, 1)] = column(rest, 4); next }
file == 2 { counted[key] = column(rest, 4) }

file == 3 {
  poses[key] = column(rest, 3)
  for (k = 4; k <= 9; ++k)
    wrong_ways[key, k] = column(rest, k)
  wrong[key] = column(rest, 4) + column(rest, 5) + column(rest, 6) + column(rest, 8) + column(rest, 9)
  grave[key] = column(rest, 4) + column(rest, 7) + column(rest, 8) + column(rest, 9)
  off_by[key] = column(rest, 10)
  refused[quoted[2]] = column(rest, 11)
}

# ---- Cells ------------------------------------------------------------------------------------

# How many times ours: bold where we lose.
function factor(ratio,    text)
{
  if (ratio == "")
    return "–"
  text = sprintf(ratio < 9.95 ? "%.2f" : "%.0f", ratio)
  return ratio < 1 ? "**" text "**" : text
}

# Of how many poses: as they are, or as a share where they are many.
function often(count, of)
{
  if (of == 0)
    return "–"
  return count == 0 ? "0" : count < 100 && of > 1000 ? count : sprintf("%.3g %%", 100 * count / of)
}

function instructions(id, ours)
{
  return counted[key_of[id]] > 0 && counted[key_of[ours]] > 0 ? counted[key_of[id]] / counted[key_of[ours]] : ""
}

# What a pair's share of a group takes, and how many times that one step of Coal's does.
function in_groups(pair, fine,    k, share, since)
{
  share = shared[pair, fine ? "set" : "default"]
  k = coal(pair, fine)
  since = share > 0 && k ? counted[key_of[pair, k]] / share : ""
  return (share > 0 ? sprintf("%d", share) : "–") " | " factor(since)
}

function in_class(id, fine) { return fine ? tolerance[id] <= 1e-12 : usual[id] }

# The number of the pair's peer that takes least time; where `right`, of those that are never wrong
# by more than their tolerance.
function fastest(pair, fine, right,    k, best, id)
{
  best = 0
  for (k = 3; k <= rows[pair]; ++k) {
    id = pair SUBSEP k
    if (in_class(id, fine) && (!right || (poses[key_of[id]] > 0 && grave[key_of[id]] == 0)) &&
        (!best || time[id] < time[pair SUBSEP best]))
      best = k
  }
  return best
}

function coal(pair, fine,    k)
{
  for (k = 3; k <= rows[pair]; ++k)
    if (name[pair, k] ~ /^Coal/ && in_class(pair SUBSEP k, fine))
      return k
  return 0
}

# Times, instructions and who it is. Ours at the same tolerance is the measure.
function against(pair, k, fine, named,    id, ours, since)
{
  if (!k)
    return (named ? "none | " : "") "– | –"
  id = pair SUBSEP k
  ours = pair SUBSEP (fine ? 2 : 1)
  since = factor(time[id] / time[ours]) " | " factor(instructions(id, ours))
  return named ? name[id] " | " since : since
}

# ---- Tables -----------------------------------------------------------------------------------

function summary(fine,    p, pair, ours)
{
  printf "## %s\n\n", fine ? "All pairs at 1e-12" : "All pairs at the libraries' default tolerances"
  print "| pair | ours: ns | instructions | Coal: time | instructions | ours in groups: instructions | Coal: instructions | fastest that is right | time | instructions | fastest | time | wrong |"
  print "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
  for (p = 1; p <= pair_count; ++p) {
    pair = pairs[p]
    ours = pair SUBSEP (fine ? 2 : 1)
    k = fastest(pair, fine, 0)
    right = fastest(pair, fine, 1)
    printf "| %s | %d | %d | %s | %s | %s |", pair, ns[ours], counted[key_of[ours]], against(pair, coal(pair, fine), fine, 0), in_groups(pair, fine),
      against(pair, right, fine, 1)
    if (k)
      printf " %s | %s | %s |\n", name[pair, k], factor(time[pair, k] / time[ours]), often(wrong[key_of[pair, k]], poses[key_of[pair, k]])
    else
      print " none | – | – |"
  }
  print ""
}

function details(pair,    k, id, key, w)
{
  key = key_of[pair, 1]
  printf "### %s\n\n", pair
  printf "%d poses of known distance, %d starts without proof. Ours: %d ns, %d instructions.\n\n", poses[key], refused[pair], ns[pair, 1], counted[key]
  print "| library | asked for | time / ours | instructions | / ours | worst relative error, motion | no answer | zero | negative | of these beyond the tolerance | error | witness | worst error, m |"
  print "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
  for (k = 1; k <= rows[pair]; ++k) {
    id = pair SUBSEP k
    key = key_of[id]
    printf "| %s | %s | %s | %d | %s | %s%s |", name[id], how[id], factor(time[id]), counted[key], factor(instructions(id, pair SUBSEP 1)),
      worst[id], (misses[id] > 0 ? " (" misses[id] " missed)" : "")
    for (w = 4; w <= 9; ++w)
      printf " %s |", often(wrong_ways[key, w], poses[key])
    printf " %s |\n", off_by[key]
  }
  print ""
}

END {
  summary(0)
  summary(1)
  print "## Every row\n"
  for (p = 1; p <= pair_count; ++p)
    details(pairs[p])
}
