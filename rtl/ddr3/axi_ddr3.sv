// SPDX-License-Identifier: Apache-2.0
// A DDR3 SDRAM controller behind an AXI4 port of 512 bits, one word of which is a burst of 8 of a
// module with 64 data bits.  Clock: the SDRAM's.  What a device's data sheet and the designer fix are
// inputs, so that one compiled controller serves every device: they are constants of a design.
//
// On the other side stands a PHY in the manner of DFI: a command a clock, with it the whole data of a
// write; it gives the whole data of a read after the read latency, and says when those of a write
// are in the SDRAM, both in the order of the commands.  The refresh interval is measured there, too:
// a controller whose every register rests while it has nothing to do costs a simulator nothing.
//
// Not here: initialisation and calibration (the PHY's), ECC, ranks, power-down, exclusive accesses
// (they are ordinary ones), AxCACHE, AxPROT and AxQOS, which are ignored.
module axi_ddr3
  import ddr3_package::*;
#(
    parameter int ADDRESS_BITS = 40,
    parameter int ID_BITS = 16
) (
    input logic aclk,
    input logic aresetn,

    input  logic [ID_BITS-1:0] s_axi_awid,
    input  logic [ADDRESS_BITS-1:0] s_axi_awaddr,
    input  logic [7:0] s_axi_awlen,
    input  logic [2:0] s_axi_awsize,
    input  logic [1:0] s_axi_awburst,
    input  logic s_axi_awvalid,
    output logic s_axi_awready,
    input  logic [511:0] s_axi_wdata,
    input  logic [63:0] s_axi_wstrb,
    input  logic s_axi_wlast,
    input  logic s_axi_wvalid,
    output logic s_axi_wready,
    output logic [ID_BITS-1:0] s_axi_bid,
    output logic [1:0] s_axi_bresp,
    output logic s_axi_bvalid,
    input  logic s_axi_bready,
    input  logic [ID_BITS-1:0] s_axi_arid,
    input  logic [ADDRESS_BITS-1:0] s_axi_araddr,
    input  logic [7:0] s_axi_arlen,
    input  logic [2:0] s_axi_arsize,
    input  logic [1:0] s_axi_arburst,
    input  logic s_axi_arvalid,
    output logic s_axi_arready,
    output logic [ID_BITS-1:0] s_axi_rid,
    output logic [511:0] s_axi_rdata,
    output logic [1:0] s_axi_rresp,
    output logic s_axi_rlast,
    output logic s_axi_rvalid,
    input  logic s_axi_rready,

    // constant: the device's timings, in clock cycles
    input cycles_t t_rcd,
    input cycles_t t_rp,
    input cycles_t t_ras,
    input cycles_t t_rc,
    input cycles_t t_rrd,
    input cycles_t t_faw,
    input cycles_t t_ccd,
    input cycles_t t_wtr,
    input cycles_t t_wr,
    input cycles_t t_rtp,
    input cycles_t t_rfc,
    input cycles_t t_cl,
    input cycles_t t_cwl,
    // constant: its geometry
    input logic [ADDRESS_BITS-1:0] size,  // of the memory, bytes
    input logic [3:0] column_bits,  // of bursts in a row
    input logic [1:0] bank_bits,
    input logic [4:0] row_bits,
    // constant: the controller's policies
    input logic bank_above_row,  // in the address; else the row is above the bank
    input logic in_order,
    input logic closed_page,
    input logic [3:0] queue_depth,  // 1 to 8, for each bank
    input logic [20:0] starvation_limit,

    // the SDRAM's command bus, without clock and chip enable
    output logic ddr_cs_n,
    output logic ddr_ras_n,
    output logic ddr_cas_n,
    output logic ddr_we_n,
    output bank_t ddr_ba,
    output logic [15:0] ddr_a,
    // the PHY
    output logic [511:0] phy_wdata,
    output logic [63:0] phy_wstrb,
    input logic phy_written,
    input logic phy_rvalid,
    input logic [511:0] phy_rdata,
    input logic refresh_tick  // a refresh falls due
);
  typedef logic [ADDRESS_BITS-7:0] word_t;

  wire timing_t timing = {
    t_rcd, t_rp, t_ras, t_rc, t_rrd, t_faw, t_ccd, t_wtr, t_wr, t_rtp, t_rfc, t_cl, t_cwl
  };

  logic read_asks, read_taken, write_asks, write_taken;
  word_t read_word, write_word;
  slot_t read_slot, write_slot, slot, returned_slot;
  logic [3:0] command;
  logic automatically, all_banks;
  bank_t bank;
  row_t row;
  column_t column;
  logic [BANKS-1:0] room;
  wire reads = command == READ;
  wire writes = command == WRITE;

  ddr3_read_port #(ADDRESS_BITS, ID_BITS) read_port (
      .clk(aclk),
      .resetn(aresetn),
      .arid(s_axi_arid),
      .araddr(s_axi_araddr),
      .arlen(s_axi_arlen),
      .arsize(s_axi_arsize),
      .arburst(s_axi_arburst),
      .arvalid(s_axi_arvalid),
      .arready(s_axi_arready),
      .rid(s_axi_rid),
      .rdata(s_axi_rdata),
      .rresp(s_axi_rresp),
      .rlast(s_axi_rlast),
      .rvalid(s_axi_rvalid),
      .rready(s_axi_rready),
      .size(size),
      .asks(read_asks),
      .word(read_word),
      .slot(read_slot),
      .taken(read_taken),
      .returns(phy_rvalid),
      .returned_slot(returned_slot),
      .returned_data(phy_rdata)
  );
  ddr3_write_port #(ADDRESS_BITS, ID_BITS) write_port (
      .clk(aclk),
      .resetn(aresetn),
      .awid(s_axi_awid),
      .awaddr(s_axi_awaddr),
      .awlen(s_axi_awlen),
      .awsize(s_axi_awsize),
      .awburst(s_axi_awburst),
      .awvalid(s_axi_awvalid),
      .awready(s_axi_awready),
      .wdata(s_axi_wdata),
      .wstrb(s_axi_wstrb),
      .wlast(s_axi_wlast),
      .wvalid(s_axi_wvalid),
      .wready(s_axi_wready),
      .bid(s_axi_bid),
      .bresp(s_axi_bresp),
      .bvalid(s_axi_bvalid),
      .bready(s_axi_bready),
      .size(size),
      .asks(write_asks),
      .word(write_word),
      .slot(write_slot),
      .taken(write_taken),
      .writes(writes),
      .write_slot(slot),
      .write_data(phy_wdata),
      .write_strobes(phy_wstrb),
      .written(phy_written)
  );

  // Where a word lies, named from the highest address bits down.
  function automatic request_t locate(input word_t word, input logic write, input slot_t of);
    word_t rest;
    rest = word >> column_bits;
    locate.write = write;
    locate.slot = of;
    locate.column = column_t'(word & ~(~word_t'(0) << column_bits));
    if (bank_above_row) begin
      locate.row  = row_t'(rest & ~(~word_t'(0) << row_bits));
      locate.bank = bank_t'((rest >> row_bits) & ~(~word_t'(0) << bank_bits));
    end else begin
      locate.bank = bank_t'(rest & ~(~word_t'(0) << bank_bits));
      locate.row  = row_t'((rest >> bank_bits) & ~(~word_t'(0) << row_bits));
    end
  endfunction
  wire request_t read_request = locate(read_word, 1'b0, read_slot);
  wire request_t write_request = locate(write_word, 1'b1, write_slot);

  // One request a cycle, of the two sides in turn.
  logic read_was_last;
  wire read_may = read_asks && room[read_request.bank];
  wire write_may = write_asks && room[write_request.bank];
  assign read_taken = read_may && !(write_may && read_was_last);
  assign write_taken = write_may && !read_taken;

  ddr3_scheduler scheduler (
      .clk(aclk),
      .resetn(aresetn),
      .timing(timing),
      .in_order(in_order),
      .closed_page(closed_page),
      .queue_depth(queue_depth),
      .starvation_limit(starvation_limit),
      .push(read_taken || write_taken),
      .request(read_taken ? read_request : write_request),
      .room(room),
      .refresh_tick(refresh_tick),
      .command(command),
      .automatically(automatically),
      .all_banks(all_banks),
      .bank(bank),
      .row(row),
      .column(column),
      .slot(slot)
  );

  assign {ddr_cs_n, ddr_ras_n, ddr_cas_n, ddr_we_n} = command;
  assign ddr_ba = ddr_cs_n ? 3'b0 : bank;
  // A column is A9..A0 and A11; A2..A0 are 0, the first of a burst of 8 (JESD79-3, 3.4.2.1).
  always_comb begin
    ddr_a = 16'b0;
    if (command == ACTIVATE) ddr_a = row;
    else if (reads || writes) ddr_a = {4'b0, column[7], automatically, column[6:0], 3'b0};
    else if (command == PRECHARGE) ddr_a[A_PRECHARGE] = all_banks;
  end

  // Whose data come back: in the order of the commands.
  slot_t returning[SLOTS];
  slot_t returning_first, returning_last;
  assign returned_slot = returning[returning_first];
  always_ff @(posedge aclk) begin
    if (read_taken || write_taken) read_was_last <= read_taken;
    if (reads) begin
      returning[returning_last] <= slot;
      returning_last <= returning_last + 1'b1;
    end
    if (phy_rvalid) returning_first <= returning_first + 1'b1;
    if (!aresetn) begin
      read_was_last <= 1'b0;
      returning_first <= 0;
      returning_last <= 0;
    end
  end
endmodule
