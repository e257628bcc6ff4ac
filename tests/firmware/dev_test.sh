#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# dev_test.sh DEV: what ./dev asks CMake for, with programs in place of the real ones that only write it
# down: a command that needs no tests does not take away those that are there.
set -euo pipefail
dev=$(readlink -f "$1")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
fail() { printf 'dev_test: %s\n' "$*" >&2; cat "$here/asked" >&2; exit 1; }
mkdir -p "$here/tree/firmware/toolchain" "$here/tree/build/bin" "$here/bin"
cp "$dev" "$here/tree/dev"
program() { cat >"$1"; chmod +x "$1"; }
program "$here/tree/firmware/toolchain/build.sh" <<<'#!/bin/sh'
program "$here/tree/build/bin/gpgpu-vp" <<<'#!/bin/sh'
program "$here/bin/ninja" <<<'#!/bin/sh'
program "$here/bin/dpkg-query" <<'TEXT'
#!/bin/sh
echo "install ok installed"
TEXT
program "$here/bin/cmake" <<TEXT
#!/bin/sh
echo "\$*" >>"$here/asked"
for word; do case \$word in -DGVP_TESTS=*) echo "GVP_TESTS:BOOL=\${word#*=}" >"$here/tree/build/CMakeCache.txt" ;; esac; done
TEXT
export PATH=$here/bin:$PATH
tests() { cat "$here/tree/build/CMakeCache.txt"; }

"$here/tree/dev" run --version >/dev/null 2>&1
[ "$(tests)" = GVP_TESTS:BOOL=OFF ] || fail "a new build for running has tests"
"$here/tree/dev" build >/dev/null 2>&1
[ "$(tests)" = GVP_TESTS:BOOL=ON ] || fail "a whole build has no tests"
"$here/tree/dev" run --version >/dev/null 2>&1
[ "$(tests)" = GVP_TESTS:BOOL=ON ] || fail "running takes the tests away"
