#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which of our RTL Icarus Verilog elaborates, as docs/rtl.md says.  Release 11 fails at variable
# indices into packed arrays of several dimensions; what it does not take today fails here once it
# does, so that the page stays true.
set -euo pipefail
cd "$1/rtl"
command -v iverilog >/dev/null || { echo "no iverilog"; exit 77; }
TMPDIR=$(mktemp -d)  # where it leaves files when it gives up
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

wrong=0
elaborate() { iverilog -g2012 -t null -s "$@" >"$TMPDIR/log" 2>&1; }
takes() { elaborate "$@" || { cat "$TMPDIR/log"; echo "Icarus refuses $1"; wrong=1; }; }
refuses() { ! elaborate "$@" || { echo "Icarus takes $1: correct docs/rtl.md"; wrong=1; }; }

for peripheral in axi_intc axi_uart16550 axi_uartlite; do
  takes "$peripheral" "$peripheral.sv" axi_lite_registers.sv
done
takes axi_lite_bridge axi_lite_bridge.sv axi_burst_address.sv
takes axi_bram_controller axi_bram_controller.sv axi_burst_address.sv axi_slice.sv
takes axi_crossbar axi_crossbar.sv axi_error_target.sv axi_id_order.sv axi_round_robin.sv axi_slice.sv
refuses axi_timer axi_timer.sv axi_lite_registers.sv
refuses axi_ddr3 ddr3/ddr3_package.sv ddr3/axi_ddr3.sv ddr3/ddr3_read_port.sv ddr3/ddr3_write_port.sv \
  ddr3/ddr3_scheduler.sv ddr3/ddr3_timing.sv
exit $wrong
