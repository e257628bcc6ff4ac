// SPDX-License-Identifier: Apache-2.0
// What the parts of the DDR3 controller share: sizes, timings, the commands of JESD79-3.
package ddr3_package;
  localparam int BANKS = 8;
  localparam int DEPTH = 8;  // most requests that wait for a bank
  localparam int SLOTS = 64;  // bursts under way, of reads and of writes

  typedef logic [2:0] bank_t;
  typedef logic [15:0] row_t;
  typedef logic [7:0] column_t;  // in bursts of 8
  typedef logic [5:0] slot_t;
  typedef logic [9:0] cycles_t;

  // Clock cycles, at least 1; names as in JESD79-3.  wtr and wr count from the end of the data.
  typedef struct packed {
    cycles_t rcd, rp, ras, rc, rrd, faw, ccd, wtr, wr, rtp, rfc, cl, cwl;
  } timing_t;
  localparam cycles_t BURST = 4;  // data of a burst of 8

  // A burst, of a read or a write.
  typedef struct packed {
    logic write;
    bank_t bank;
    row_t row;
    column_t column;
    slot_t slot;
  } request_t;

  // cs_n, ras_n, cas_n, we_n (JESD79-3, table 6)
  localparam logic [3:0] DESELECT = 4'b1111, ACTIVATE = 4'b0011, READ = 4'b0101, WRITE = 4'b0100,
                         PRECHARGE = 4'b0010, REFRESH = 4'b0001;
  localparam int A_PRECHARGE = 10;  // address bit: all banks, or automatically after the burst
endpackage
