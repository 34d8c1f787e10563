# SPDX-License-Identifier: Apache-2.0
# The IDL of this package's messages as DDS sees them, from the .msg files themselves:
#   awk -v package=NAME -f messages_to_idl.awk A.msg B.msg ... > messages.idl
# A message comes after those that it uses. Constants are not part of the wire.

BEGIN {
  split("bool boolean byte octet char uint8 uint8 uint8 int8 int8 int16 short uint16 unsigned_short " \
        "int32 long uint32 unsigned_long int64 long_long uint64 unsigned_long_long float32 float " \
        "float64 double string string", words, " ")
  for (k = 1; k in words; k += 2) {
    name = words[k + 1]
    gsub("_", " ", name)
    basic[words[k]] = name
  }
  print "/* Written by messages_to_idl.awk from the .msg files. */"
  print "#include \"ros_types.idl\""
  printf "module %s { module msg { module dds_ {\n", package
}

function idl_type(type,    path) {
  if (type in basic) return basic[type]
  if (split(type, path, "/") == 2) return path[1] "::msg::dds_::" path[2] "_"
  return type "_"
}

FNR == 1 {
  if (NR > 1) print "  };"
  name = FILENAME
  sub(/.*\//, "", name)
  sub(/\.msg$/, "", name)
  printf "  @topic struct %s_ {\n", name
}

{
  sub(/#.*/, "")
  if (NF < 2 || $0 ~ /=/) next
  type = $1
  if (type ~ /\[[^\]]+\]$/ || type ~ /<=/) {
    printf "%s:%d: bounds are not supported: %s\n", FILENAME, FNR, type > "/dev/stderr"
    failed = 1
    exit
  }
  if (sub(/\[\]$/, "", type)) printf "    sequence<%s> %s;\n", idl_type(type), $2
  else printf "    %s %s;\n", idl_type(type), $2
}

END {
  if (failed) exit 1
  print "  };"
  print "}; }; };"
}
