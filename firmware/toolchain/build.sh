#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the MicroBlaze cross-compiler (binutils, GCC, newlib; target microblazeel-xilinx-elf) from
# Debian's source packages into a cache outside the tree, and prints the directory it is in.
# A second call finds it there.  Takes about 6 minutes on two cores; needs the packages that
# `./dev setup firmware` installs and no network.
#
# The directory's name carries a hash of this script and of the source packages' versions, so that
# a changed recipe is a new compiler.  GVP_TOOLCHAIN_DIR names another cache directory.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

target=microblazeel-xilinx-elf
host_flags="-O1 -g0 -pipe"
# v9.6, not v10 or v11: GCC 12 compares versions as strings, and "v10" is less than "v3".
target_flags="-mcpu=v9.6 -mno-xl-soft-mul -mxl-multiply-high -mno-xl-soft-div -mxl-barrel-shift"
target_flags+=" -mxl-pattern-compare -mxl-reorder"
jobs=${GVP_JOBS:-$(nproc)}

die() { printf 'toolchain: %s\n' "$*" >&2; exit 1; }
version() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || die "package $1 is missing (./dev setup firmware installs it)"; }
source_of() { # source_of DIRECTORY PATTERN: the one tarball a Debian source package installs
  local found
  found=$(find "/usr/src/$1" -maxdepth 1 -name "$2" -print -quit 2>/dev/null)
  [ -n "$found" ] || die "no $2 in /usr/src/$1 (./dev setup firmware installs it)"
  printf '%s\n' "$found"
}

versions="$(version binutils-source) $(version gcc-12-source) $(version newlib-source)"
key=$({ cat "$here/build.sh"; printf '%s' "$versions"; } | sha256sum | cut -c1-16)
cache=${GVP_TOOLCHAIN_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/gpgpu-vp}
prefix=$cache/toolchain-$key

mkdir -p "$cache"
exec 9>"$cache/toolchain.lock"
if ! flock --nonblock 9; then # a second caller waits for the first, then finds the result
  printf 'toolchain: waiting for another build of it\n' >&2
  flock 9
fi
if [ -e "$prefix/complete" ]; then
  printf '%s\n' "$prefix"
  exit 0
fi

rm -rf "$cache"/build-?????? # what killed builds left: nobody else builds now
work=$(mktemp -d "$cache/build-XXXXXX")
log=$cache/toolchain-$key.log
trap 'rm -rf "$work"' EXIT
printf 'toolchain: building %s for the first time (about 6 minutes; log: %s)\n' "$target" "$log" >&2

rm -rf "$prefix" # what a killed build left
: >"$log"
export PATH=$prefix/bin:$PATH

step() { # step NAME FUNCTION: runs it in the work directory, its output to the log
  printf 'toolchain: %s\n' "$1" >&2
  # errexit would be off inside an `if`: a shell of its own keeps it on
  set +e
  ( set -e; cd "$work"; "$2" ) >>"$log" 2>&1
  local status=$?
  set -e
  [ $status -eq 0 ] || { tail -n 15 "$log" >&2; die "$1 failed; the whole log is $log"; }
}

unpack() {
  tar xf "$(source_of binutils 'binutils-*.tar.xz')"
  tar xf "$(source_of gcc-12 'gcc-*.tar.xz')"
  tar xf "$(source_of newlib 'newlib-*.tar.*')"
  mv binutils-*/ binutils
  mv gcc-*/ gcc
  mv newlib-*/ newlib
  # The hand-written __moddi3 takes r5 for the high word, which is wrong in little-endian: signed
  # 64-bit remainders came out as rubbish.  Without it the generic C version is built.
  sed -i 's/_moddi3//; /moddi3\.S/d' gcc/libgcc/config/microblaze/t-microblaze
  mkdir build-binutils build-gcc build-newlib
}
build_binutils() {
  cd build-binutils
  ../binutils/configure --target=$target --prefix="$prefix" \
    --disable-{nls,gdb,sim,gprof,gprofng,gold,werror,plugins,libctf,multilib} \
    --with-system-zlib --without-{zstd,debuginfod} CFLAGS="$host_flags"
  make -j"$jobs" MAKEINFO=true all-gas all-ld all-binutils
  make MAKEINFO=true install-strip-{gas,ld,binutils}
}
build_gcc() {
  cd build-gcc
  ../gcc/configure --target=$target --prefix="$prefix" --enable-languages=c \
    --disable-{multilib,nls,lto,plugin,bootstrap,analyzer,gcov,libcc1,libssp,libquadmath} \
    --disable-{libgomp,libatomic,shared,threads,decimal-float} \
    --without-{isl,zstd,headers} --with-system-zlib --with-newlib \
    CFLAGS="$host_flags" CXXFLAGS="$host_flags" CFLAGS_FOR_TARGET="-O2 -g0 $target_flags"
  make -j"$jobs" MAKEINFO=true all-gcc
  touch gcc/s-tm-texi # Debian's tarball lacks tm.texi, which `install` would regenerate
  make MAKEINFO=true install-strip-gcc
  make -j"$jobs" all-target-libgcc
  make install-target-libgcc
}
build_newlib() {
  cd build-newlib
  ../newlib/configure --target=$target --prefix="$prefix" \
    --disable-{multilib,newlib-supplied-syscalls,newlib-wide-orient,newlib-multithread} \
    --disable-{newlib-fvwrite-in-streamio,newlib-fseek-optimization} \
    --enable-{newlib-reent-small,newlib-nano-malloc,newlib-global-atexit,lite-exit} \
    --enable-{newlib-io-long-long,newlib-io-c99-formats} \
    CFLAGS_FOR_TARGET="-O2 -g0 -ffunction-sections -fdata-sections $target_flags"
  make -j"$jobs" MAKEINFO=true
  make MAKEINFO=true install
}

step "unpacking" unpack
step "building binutils" build_binutils
step "building gcc" build_gcc
step "building newlib" build_newlib
touch "$prefix/complete"
rm -f "$log"
printf '%s\n' "$prefix"
