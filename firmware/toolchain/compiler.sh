# SPDX-License-Identifier: Apache-2.0
# Recipe of the MicroBlaze cross-compiler (binutils, GCC, newlib) from Debian's source packages, for
# build.sh.  A changed recipe is another compiler: build.sh's messages and manners are not in here.
title="the MicroBlaze cross-compiler"
sources=(binutils-source gcc-12-source newlib-source)
packages=(gcc g++ make bison flex texinfo xz-utils zlib1g-dev libgmp-dev libmpfr-dev libmpc-dev "${sources[@]}")
stages=(unpack binutils gcc libgcc newlib)

target=microblazeel-xilinx-elf
host_flags="-O1 -g0 -pipe"
# v9.6, not v10 or v11: GCC 12 compares versions as strings, and "v10" is less than "v3".
target_flags="-mcpu=v9.6 -mno-xl-soft-mul -mxl-multiply-high -mno-xl-soft-div -mxl-barrel-shift"
target_flags+=" -mxl-pattern-compare -mxl-reorder"

stage_unpack() {
  rm -rf binutils* gcc* newlib*
  tar xf "$(source_of binutils 'binutils-*.tar.xz')"
  tar xf "$(source_of gcc-12 'gcc-*.tar.xz')"
  tar xf "$(source_of newlib 'newlib-*.tar.*')"
  mv binutils-*/ binutils
  mv gcc-*/ gcc
  mv newlib-*/ newlib
  # The hand-written __moddi3 takes r5 for the high word, which is wrong in little-endian: signed
  # 64-bit remainders came out as rubbish.  Without it the generic C version is built.
  sed -i 's/_moddi3//; /moddi3\.S/d' gcc/libgcc/config/microblaze/t-microblaze
}
stage_binutils() {
  rm -rf build-binutils && mkdir build-binutils && cd build-binutils
  ../binutils/configure --target=$target --prefix="$prefix" \
    --disable-{nls,gdb,sim,gprof,gprofng,gold,werror,plugins,libctf,multilib} \
    --with-system-zlib --without-{zstd,debuginfod} CFLAGS="$host_flags"
  make -j"$jobs" MAKEINFO=true all-gas all-ld all-binutils
  make MAKEINFO=true install-strip-{gas,ld,binutils}
}
stage_gcc() {
  rm -rf build-gcc && mkdir build-gcc && cd build-gcc
  ../gcc/configure --target=$target --prefix="$prefix" --enable-languages=c \
    --disable-{multilib,nls,lto,plugin,bootstrap,analyzer,gcov,libcc1,libssp,libquadmath} \
    --disable-{libgomp,libatomic,shared,threads,decimal-float} \
    --without-{isl,zstd,headers} --with-system-zlib --with-newlib \
    CFLAGS="$host_flags" CXXFLAGS="$host_flags" CFLAGS_FOR_TARGET="-O2 -g0 $target_flags"
  make -j"$jobs" MAKEINFO=true all-gcc
  touch gcc/s-tm-texi # Debian's tarball lacks tm.texi, which `install` would regenerate
  make MAKEINFO=true install-strip-gcc
}
stage_libgcc() {
  cd build-gcc
  rm -rf $target/libgcc
  make -j"$jobs" all-target-libgcc
  make install-target-libgcc
}
stage_newlib() {
  rm -rf build-newlib && mkdir build-newlib && cd build-newlib
  ../newlib/configure --target=$target --prefix="$prefix" \
    --disable-{multilib,newlib-supplied-syscalls,newlib-wide-orient,newlib-multithread} \
    --disable-{newlib-fvwrite-in-streamio,newlib-fseek-optimization} \
    --enable-{newlib-reent-small,newlib-nano-malloc,newlib-global-atexit,lite-exit} \
    --enable-{newlib-io-long-long,newlib-io-c99-formats} \
    CFLAGS_FOR_TARGET="-O2 -g0 -ffunction-sections -fdata-sections $target_flags"
  make -j"$jobs" MAKEINFO=true
  make MAKEINFO=true install
}
