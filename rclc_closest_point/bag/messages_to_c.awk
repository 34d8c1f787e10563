# SPDX-License-Identifier: Apache-2.0
# This package's .msg files as a table of texts in C:
#   awk -v package=NAME -f messages_to_c.awk A.msg B.msg ... > own_messages.c

BEGIN {
  print "/* Written by messages_to_c.awk from the .msg files. */"
  print "#include \"rclc_closest_point/bag/schemas.h\"\n"
  print "const clp_definition clp_own_definitions[] = {"
}

FNR == 1 {
  if (NR > 1) print "    },"
  name = FILENAME
  sub(/.*\//, "", name)
  sub(/\.msg$/, "", name)
  printf "    {\"%s/%s\",\n", package, name
}

{
  gsub(/\\/, "\\\\")
  gsub(/"/, "\\\"")
  printf "     \"%s\\n\"\n", $0
}

END {
  print "    },"
  print "    {0}};"
}
