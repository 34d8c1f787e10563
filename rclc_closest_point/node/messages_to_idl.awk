# SPDX-License-Identifier: Apache-2.0
# The IDL of this package's messages and services as DDS sees them, from their files themselves:
#   awk -v package=NAME -f messages_to_idl.awk A.msg B.msg ... C.srv ... > messages.idl
# A message comes after those that it uses, and services come last. Constants and defaults are not
# part of the wire. In front of a request and of its response stands who has asked, and which of his
# requests that is, as rmw_cyclonedds_cpp has it.

BEGIN {
  split("bool boolean byte octet char uint8 uint8 uint8 int8 int8 int16 short uint16 unsigned_short " \
        "int32 long uint32 unsigned_long int64 long_long uint64 unsigned_long_long float32 float " \
        "float64 double string string", words, " ")
  for (k = 1; k in words; k += 2) {
    name = words[k + 1]
    gsub("_", " ", name)
    basic[words[k]] = name
  }
  print "/* Written by messages_to_idl.awk from the .msg and .srv files. */"
  print "#include \"ros_types.idl\""
  begin_module("msg")
}

function begin_module(kind) {
  printf "module %s { module %s { module dds_ {\n", package, kind
  in_module = kind
}

function begin_part(part) {
  printf "  @topic struct %s_%s_ {\n    unsigned long long client;\n    long long number;\n", name, part
}

function idl_type(type,    path) {
  if (type in basic) return basic[type]
  if (split(type, path, "/") == 2) return path[1] "::msg::dds_::" path[2] "_"
  return type "_"
}

FNR == 1 {
  if (NR > 1) print "  };"
  kind = name = FILENAME
  sub(/.*\./, "", kind)
  sub(/.*\//, "", name)
  sub(/\.[a-z]+$/, "", name)
  if (kind != in_module) {
    print "}; }; };"
    begin_module(kind)
  }
  if (kind == "srv") begin_part("Request")
  else printf "  @topic struct %s_ {\n", name
}

$1 == "---" {
  print "  };"
  begin_part("Response")
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
