#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scratch_programs.sh GPGPU-VP: compiles programs of SCRATCH's system as a user does, from another
# folder, and runs them; needs the cross-compiler.  Part of `./dev firmware --check`.
set -euo pipefail
vp=$(realpath "$1")
compile=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/firmware/scratch/compile.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "scratch_programs.sh: $*" >&2; exit 1; }
# expect STATUS TEXT COMMAND ...: the exit code, and a part of what it prints
expect() {
  local status=0 said
  said=$("${@:3}" 2>&1) || status=$?
  [ "$status" = "$1" ] || fail "${*:3}: exit code $status, not $1: $said"
  grep -qF -- "$2" <<<"$said" || fail "${*:3}: \"$2\" is not in: $said"
}

# As Xilinx's SDK has them: a header beside the source, floats, the heap, the timer.
mkdir include && echo "#define FACTOR 3" >include/factor.h
cat >program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "platform.h"
#include "xparameters.h"
#include "xtmrctr.h"
#include "factor.h"
int main(void) {
  init_platform();
  XTmrCtr timer;
  if (XTmrCtr_Initialize(&timer, XPAR_TMRCTR_0_DEVICE_ID) != XST_SUCCESS) return 9;
  int* numbers = malloc(1000 * sizeof *numbers);
  if (numbers == NULL) return 8;
  for (int i = 0; i < 1000; ++i) numbers[i] = i * FACTOR;
  printf("%.3f %s\n", numbers[999] / 8.0, MESSAGE_AS_TEXT);
  cleanup_platform();
  return 7;
}
C
echo '#define MESSAGE_AS_TEXT "compiled"' >include/message.h
expect 0 "" "$compile" -I include -include include/message.h -o out.elf program.c
expect 7 "374.625 compiled" "$vp" -q --board scratch out.elf
[ ! -e program.elf ] || fail "-o names the output, and there is another one"

# Without -o the program is named after its source, and what does not fit local memory goes to DDR3.
cat >large.c <<'C'
#include "xil_printf.h"
static int table[400000];
int main(void) {
  for (int i = 0; i < 400000; ++i) table[i] = i;
  xil_printf("the last is %d\r\n", table[399999]);
  return 0;
}
C
expect 0 "upper half of DDR3" "$compile" large.c
expect 0 "the last is 399999" "$vp" -q --board scratch large.elf

echo 'int main(void) { return nothing; }' >wrong.c
expect 1 "'nothing' undeclared" "$compile" wrong.c
[ ! -e wrong.elf ] || fail "an ELF of a program with an error"
expect 1 "cannot read missing.c" "$compile" missing.c
expect 2 "neither a C file nor an option" "$compile" program.txt
expect 2 "compile.sh [-o PROGRAM.elf] FILE.c" "$compile"
echo "programs of SCRATCH's system: compiled and run"
