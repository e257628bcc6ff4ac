#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# firmware/toolchain/build.sh with a recipe that takes no time: stages, a build that is killed, a build
# that fails, what waits and what does not.
set -euo pipefail
source=$(cd "$1" && pwd)
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cp "$source"/{build,stages}.sh "$here"
export GVP_TOOLCHAIN_DIR=$here/cache
fail() { printf 'toolchain_test: %s\n' "$*" >&2; cat "$here/out" >&2; exit 1; }
# expect STATUS TEXT COMMAND...
expect() {
  local status=0
  "${@:3}" >"$here/out" 2>&1 || status=$?
  [ "$status" -eq "$1" ] || fail "${*:3}: ended with $status, not $1"
  grep -qF -- "$2" "$here/out" || fail "${*:3}: did not say \"$2\""
}
cat >"$here/compiler.sh" <<'RECIPE'
title="a compiler that takes a second"
sources=()
packages=(nothing)
stages=(first second third)
stage_first() { echo first >>"$GVP_TOOLCHAIN_DIR/ran"; mkdir -p "$prefix"; }
stage_second() {
  echo second >>"$GVP_TOOLCHAIN_DIR/ran"
  if [ -e "$GVP_TOOLCHAIN_DIR/fail" ]; then echo "the second stage is broken"; false; fi
  if [ -e "$GVP_TOOLCHAIN_DIR/hang" ]; then touch "$GVP_TOOLCHAIN_DIR/hangs"; sleep 60; fi
  echo "after the stage's end"
}
stage_third() { echo third >>"$GVP_TOOLCHAIN_DIR/ran"; sleep 1; }
RECIPE
build="$here/build.sh"
ran() { tr '\n' ' ' <"$GVP_TOOLCHAIN_DIR/ran"; }

expect 1 "is not built yet" "$build" --find
expect 1 "$build compiler" "$build" --find
expect 1 "unknown argument" "$build" --nonsense
expect 0 "nothing" "$build" --packages
[ ! -e "$GVP_TOOLCHAIN_DIR/ran" ] || fail "--find has built something"

# A stage that fails: what it said, what was built before is kept.
mkdir -p "$GVP_TOOLCHAIN_DIR"
touch "$GVP_TOOLCHAIN_DIR/fail"
expect 1 "the second stage is broken" "$build"
rm "$GVP_TOOLCHAIN_DIR/fail"
[ "$(ran)" = "first second " ] || fail "ran $(ran)"

# A stage that is killed, with all that it has started.
touch "$GVP_TOOLCHAIN_DIR/hang"
setsid "$build" >"$here/out" 2>&1 &
killed=$!
for _ in $(seq 500); do [ ! -e "$GVP_TOOLCHAIN_DIR/hangs" ] || break; sleep 0.1; done
kill -KILL -- "-$killed"
wait "$killed" 2>/dev/null || true
rm "$GVP_TOOLCHAIN_DIR/hang"
[ "$(ran)" = "first second second " ] || fail "ran $(ran)"
expect 1 "is not built yet" "$build" --find

expect 0 "going on with" "$build"
[ "$(ran)" = "first second second second third " ] || fail "ran $(ran)"
built=$("$build")
[ -d "$built" ] || fail "\"$built\" is no directory"
[ "$(ran)" = "first second second second third " ] || fail "a compiler that is there was built again"
[ -z "$(ls -d "$GVP_TOOLCHAIN_DIR"/build-* 2>/dev/null)" ] || fail "the build's folder is left"
expect 0 "| second | 0:0" "$build" --times
expect 0 "| third | 0:0" "$build" --times
! grep -qF "| third | 0:00 min" "$here/out" || fail "a stage of a second took no time"

# A complete compiler is found while somebody else holds the lock.
exec 8>"$GVP_TOOLCHAIN_DIR/compiler.lock"
flock 8
expect 0 "$built" timeout 10 "$build"
expect 0 "$built" timeout 10 "$build" --find
# Another recipe is another compiler, and waits for the lock.
echo "# changed" >>"$here/compiler.sh"
expect 124 "waiting for another build" timeout 4 "$build"
expect 1 "is not built yet" "$build" --find
