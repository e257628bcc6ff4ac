#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# new_project.sh CMAKE BUILD: installs the build, makes a project with the installed gvp-new in a folder
# that has nothing to do with the tree, builds it, runs it, and debugs it through GDB's protocol.
set -euo pipefail
cmake=$1 build=$2
work=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then
    kill -KILL -- "-$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true # it writes no more
  fi
  rm -rf "$work"
}
trap finish EXIT
fail() { printf 'new_project: %s\n' "$*" >&2; cat "$work/log" >&2; exit 1; }
quietly() { "$@" >"$work/log" 2>&1 || fail "failed: $*"; }

quietly "$cmake" --install "$build" --prefix "$work/pre fix"
sdk="$work/pre fix/share/gpgpu-vp/sdk"
for part in bsp/linker.ld cuda/cuda_runtime.h driver/gpgpu.h platform/memory_map.h toolchain/build.sh microblaze.cmake; do
  [ -e "$sdk/$part" ] || fail "$part is not installed"
done
mkdir "$work/home"
cd "$work/home"
quietly "$work/pre fix/bin/gvp-new" my_app
cd my_app
# Without the compiler: what to do about it.
if GVP_TOOLCHAIN_DIR=$work/none "$cmake" --preset release >"$work/log" 2>&1; then
  fail "configured without a compiler"
fi
tr -s ' \n' ' ' <"$work/log" | grep -q "No MicroBlaze cross-compiler.*build it, once: .*toolchain/build.sh" ||
  fail "does not say how to get a compiler"
rm -rf build
if ! "$sdk/toolchain/build.sh" --find >/dev/null 2>&1; then
  echo "new_project: no cross-compiler, nothing built (firmware/toolchain/build.sh makes it)"
  exit 77
fi

quietly "$cmake" --preset release
quietly "$cmake" --build --preset release
quietly "$cmake" --build --preset release --target run
grep -q "my_app: 256 sums, 0 wrong" "$work/log" || fail "the program did not say what it should"
cmp -s build/release/vector_add.cubin build/release/my_app.elf && fail "no cubin"
# What the kernel does is compiled anew when it changes.
sed -i 's/a\[i\] + b\[i\]/a[i] - b[i]/' vector_add.cu
if "$cmake" --build --preset release --target run >"$work/log" 2>&1; then fail "a wrong kernel passed"; fi
grep -q "256 sums, 255 wrong" "$work/log" || fail "the changed kernel was not compiled"

# Another board's header, and a program for it.
quietly "$cmake" --preset release -D GVP_BOARD=two_gpgpus
quietly "$cmake" --build --preset release
grep -q two_gpgpus build/release/gvp-board/platform/memory_map.h || fail "not that board's header"

quietly "$cmake" --preset debug -D GVP_GDB_PORT=0
: >"$work/server" # there before anybody looks
setsid "$cmake" --build --preset debug --target debug >"$work/server" 2>&1 &
server=$!
port=
for _ in $(seq 600); do
  port=$(sed -n 's/.*target remote 127.0.0.1:\([0-9]*\).*/\1/p' "$work/server")
  [ -z "$port" ] || break
  sleep 0.1
done
cp "$work/server" "$work/log"
[ -n "$port" ] || fail "nothing waits for a debugger"
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf '$?#3f' >&3
read -r -t 20 -d '#' reply <&3 || fail "no answer of the debugger's stub"
case $reply in +\$[ST]05*) ;; *) fail "not a stop reply: $reply" ;; esac
printf '+$k#6b' >&3
exec 3>&-
for _ in $(seq 600); do kill -0 "$server" 2>/dev/null || break; sleep 0.1; done
kill -0 "$server" 2>/dev/null && fail "does not end when the debugger kills it"
server=
