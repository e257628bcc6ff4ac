#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a firmware ELF on QEMU's petalogix-ml605 machine: prints what comes out of the 16550, ends
# QEMU when the program spins on a branch to itself with interrupts off, and exits with its r3.
#   run_on_qemu.sh FIRMWARE.elf [SECONDS [ARGUMENTS]]
# 124: no such end within SECONDS (default 60); 77: no QEMU (CTest's "skipped").
set -euo pipefail
elf=$1 limit=${2:-60} arguments=${3:-}
command -v qemu-system-microblazeel >/dev/null || {
  echo "skipped: no qemu-system-microblazeel here (Debian package qemu-system-misc)"
  exit 77
}
work=$(mktemp -d)
qemu=
trap '[ -z "$qemu" ] || kill "$qemu" 2>/dev/null || true; rm -rf "$work"' EXIT
mkfifo "$work/monitor.in" "$work/monitor.out"

qemu-system-microblazeel -M petalogix-ml605 -display none -no-reboot -kernel "$elf" \
  ${arguments:+-append "$arguments"} -serial "file:$work/uart" \
  -chardev "pipe,id=monitor,path=$work/monitor" -mon chardev=monitor \
  2>"$work/errors" </dev/null &
qemu=$!
exec 3<>"$work/monitor.in" 4<>"$work/monitor.out"

# registers: fills $pc, $msr, $r3 from the monitor
registers() {
  local line
  pc='' msr='' r3=''
  echo "info registers" >&3
  while IFS= read -r -t 5 line <&4; do
    [[ $line =~ pc=0x([0-9a-f]+) ]] && pc=${BASH_REMATCH[1]}
    [[ $line =~ msr=0x([0-9a-f]+) ]] && msr=${BASH_REMATCH[1]}
    [[ $line =~ r03=([0-9a-f]+) ]] && r3=${BASH_REMATCH[1]}
    [[ $line == *r31=* ]] && return 0
  done
  return 1
}

deadline=$((SECONDS + limit)) last=
while [ "$SECONDS" -lt "$deadline" ]; do
  kill -0 "$qemu" 2>/dev/null || { cat "$work/errors" >&2; echo "QEMU ended by itself" >&2; exit 125; }
  registers || continue
  if [ "$pc" = "$last" ] && [ $((0x$msr & 2)) -eq 0 ]; then
    # Twice at the same place with interrupts off: a wait loop, or a branch to itself?
    echo "x /1xw 0x$pc" >&3
    while IFS= read -r -t 5 word <&4; do
      [[ $word =~ ^[0-9a-f]{8,}:\ 0x([0-9a-f]{8}) ]] && break
    done
    if [ "${BASH_REMATCH[1]:-}" = b8000000 ]; then
      cat "$work/uart"
      exit $((0x$r3))
    fi
  fi
  last=$pc
  sleep 0.05
done
cat "$work/uart"
echo "no end within $limit s; last at 0x$last" >&2
exit 124
