#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command and checks its exit code and that its output has all the given lines' texts.
#   expect.sh CODE TEXT... -- COMMAND...
set -uo pipefail
code=$1; shift
texts=()
while [ "$1" != -- ]; do texts+=("$1"); shift; done
shift
output=$("$@" 2>&1)
status=$?
printf '%s\n' "$output"
[ $status -ne 77 ] || exit 77
[ $status -eq "$code" ] || { echo "expect: exit code $status, not $code"; exit 1; }
for text in "${texts[@]}"; do
  grep -qF -- "$text" <<<"$output" || { echo "expect: \"$text\" is not in the output"; exit 1; }
done
