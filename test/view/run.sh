#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a test of the view: run.sh page|plain FILE.mjs. VIEW_PACKAGES is the folder that
# .ci/view-packages has filled. Where something is missing the test is skipped: status 77.
set -euo pipefail

skip()
{
  echo "skipped: $1"
  exit 77
}

kind=$1 file=$2
command -v node >/dev/null || skip "node is not there"
(($(node --print 'process.versions.node.split(".")[0]') >= 18)) || skip "node is older than 18"
[[ -d $VIEW_PACKAGES/node_modules ]] || skip "the packages of npm are not there: .ci/view-packages"
if [[ $kind == page ]]; then
  CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    skip "chromium is not there"
  export CHROMIUM
fi
exec node --test --test-reporter=spec "$(dirname "$0")/$file"
