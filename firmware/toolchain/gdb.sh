# SPDX-License-Identifier: Apache-2.0
# Recipe of GDB for MicroBlaze from Debian's source package (gdb-multiarch leaves this processor out),
# for build.sh.
title="GDB for MicroBlaze"
sources=(gdb-source)
packages=(gcc g++ make bison flex texinfo xz-utils zlib1g-dev libgmp-dev libmpfr-dev libexpat1-dev libncurses-dev
          libreadline-dev "${sources[@]}")
stages=(unpack gdb)

stage_unpack() {
  rm -rf gdb*
  mkdir gdb
  tar xf "$(source_of . 'gdb.tar.xz')" --strip-components=1 -C gdb
}
stage_gdb() {
  rm -rf build-gdb && mkdir build-gdb && cd build-gdb
  ../gdb/configure --target=microblazeel-xilinx-elf --prefix="$prefix" \
    --disable-{nls,sim,gas,ld,binutils,gprof,gprofng,gold,werror,libctf,source-highlight} \
    --with-{expat,system-zlib,system-readline} --without-{python,guile,zstd,debuginfod,babeltrace,intel-pt} \
    CFLAGS="-O1 -g0 -pipe" CXXFLAGS="-O1 -g0 -pipe"
  make -j"$jobs" MAKEINFO=true all-gdb
  make MAKEINFO=true install-strip-gdb
}
