#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every function of a public header says whether it allocates and from how many threads it may be
# called. Usage: test_header.sh HEADER...
awk '
  FNR == 1 { comment = ""; inside = 0 }
  /^\/\*/ { comment = ""; inside = 1 }
  inside { comment = comment $0; if (/\*\//) inside = 0; next }
  /^$/ { comment = "" }
  /^[A-Za-z].*\(/ && !/^typedef/ {
    ++functions
    if (comment !~ /Allocates:/ || comment !~ /Thread-safe:/) {
      print FILENAME ":" FNR ": expected \"Allocates:\" and \"Thread-safe:\" above: " $0
      ++complaints
    }
  }
  END {
    if (functions < ARGC - 1) { print "too few functions"; ++complaints }
    exit complaints > 0
  }
' "$@"
