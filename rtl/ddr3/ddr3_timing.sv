// SPDX-License-Identifier: Apache-2.0
// When the SDRAM may have which command: a down-counter for each rule of JESD79-3 that matters to a
// controller.  A counter that has run out stands still, so that an idle memory does.
module ddr3_timing
  import ddr3_package::*;
(
    input logic clk,
    input logic resetn,
    input timing_t timing,

    // the command of this cycle
    input logic activates,
    input logic reads,
    input logic writes,
    input logic precharges,
    input logic precharges_all,
    input logic refreshes,
    input logic automatically,  // a read or write that precharges
    input bank_t bank,

    // in this cycle, as far as the bank goes ...
    output logic [BANKS-1:0] may_activate,
    output logic [BANKS-1:0] may_access,
    output logic [BANKS-1:0] may_precharge,
    // ... and as far as the other banks go
    output logic may_activate_any,
    output logic may_read,
    output logic may_write
);
  cycles_t to_activate[BANKS], to_access[BANKS], to_precharge[BANKS];
  cycles_t to_activate_any, to_read, to_write;
  cycles_t window[4];  // of the last four activates, the latest first

  function automatic cycles_t tick(input cycles_t left);
    tick = left == 0 ? left : left - 1'b1;
  endfunction
  // Not before so many cycles after this one.
  function automatic cycles_t raise(input cycles_t left, input cycles_t distance);
    raise = tick(left) > distance - 1'b1 ? tick(left) : distance - 1'b1;
  endfunction

  wire cycles_t read_to_write = timing.cl + timing.ccd + 10'd2 - timing.cwl;  // the data bus turns round
  wire cycles_t write_data = timing.cwl + BURST;
  wire cycles_t precharge_again = raise(to_precharge[bank], reads ? timing.rtp : write_data + timing.wr);

  always_ff @(posedge clk) begin
    for (int b = 0; b < BANKS; b++)
      if ((to_activate[b] | to_access[b] | to_precharge[b]) != 0) begin
        to_activate[b] <= tick(to_activate[b]);
        to_access[b] <= tick(to_access[b]);
        to_precharge[b] <= tick(to_precharge[b]);
      end
    to_activate_any <= tick(to_activate_any);
    to_read <= tick(to_read);
    to_write <= tick(to_write);
    for (int i = 0; i < 4; i++) window[i] <= tick(window[i]);

    if (activates) begin
      to_access[bank] <= raise(to_access[bank], timing.rcd);
      to_precharge[bank] <= raise(to_precharge[bank], timing.ras);
      to_activate[bank] <= raise(to_activate[bank], timing.rc);
      to_activate_any <= raise(to_activate_any, timing.rrd);
      window[0] <= timing.faw - 1'b1;
      for (int i = 1; i < 4; i++) window[i] <= tick(window[i-1]);
    end
    if (reads) begin
      to_read  <= raise(to_read, timing.ccd);
      to_write <= raise(to_write, read_to_write);
    end
    if (writes) begin
      to_write <= raise(to_write, timing.ccd);
      to_read  <= raise(to_read, write_data + timing.wtr);
    end
    if (reads || writes) begin
      to_precharge[bank] <= precharge_again;
      // the SDRAM precharges as soon as it may
      if (automatically) to_activate[bank] <= raise(to_activate[bank], precharge_again + timing.rp + 1'b1);
    end
    if (precharges) to_activate[bank] <= raise(to_activate[bank], timing.rp);
    if (precharges_all)
      for (int b = 0; b < BANKS; b++) to_activate[b] <= raise(to_activate[b], timing.rp);
    if (refreshes)
      for (int b = 0; b < BANKS; b++) to_activate[b] <= raise(to_activate[b], timing.rfc);

    if (!resetn) begin
      for (int b = 0; b < BANKS; b++) begin
        to_activate[b] <= 0;
        to_access[b] <= 0;
        to_precharge[b] <= 0;
      end
      to_activate_any <= 0;
      to_read <= 0;
      to_write <= 0;
      for (int i = 0; i < 4; i++) window[i] <= 0;
    end
  end

  always_comb
    for (int b = 0; b < BANKS; b++) begin
      may_activate[b] = to_activate[b] == 0;
      may_access[b] = to_access[b] == 0;
      may_precharge[b] = to_precharge[b] == 0;
    end
  assign may_activate_any = to_activate_any == 0 && window[3] == 0;
  assign may_read = to_read == 0;
  assign may_write = to_write == 0;

`ifdef VERILATOR
  always_ff @(posedge clk)
    if (resetn) begin
      if (activates) assert (may_activate[bank] && may_activate_any);
      if (reads) assert (may_access[bank] && may_read);
      if (writes) assert (may_access[bank] && may_write);
      if (precharges) assert (may_precharge[bank]);
      if (precharges_all) assert (&may_precharge);
      if (refreshes) assert (&may_activate);
      assert ($onehot0({activates, reads, writes, precharges, precharges_all, refreshes}));
    end
`endif
endmodule
