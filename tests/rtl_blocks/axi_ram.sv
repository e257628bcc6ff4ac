// SPDX-License-Identifier: Apache-2.0
// A RAM with two AXI4 ports, in the style of a generator: parameters, packed widths, one module for
// each port.  Fixed, incrementing and wrapping bursts of any size; a word that both write is the
// second port's.
module axi_ram #(
    parameter int DATA_WIDTH = 32,
    parameter int ADDR_WIDTH = 16,
    parameter int ID_WIDTH = 4,
    localparam int STRB_WIDTH = DATA_WIDTH / 8
) (
    input logic clk, rst_n,
    input logic [ID_WIDTH-1:0] s00_axi_awid, input logic [ADDR_WIDTH-1:0] s00_axi_awaddr,
    input logic [7:0] s00_axi_awlen, input logic [2:0] s00_axi_awsize, input logic [1:0] s00_axi_awburst,
    input logic s00_axi_awvalid, output logic s00_axi_awready,
    input logic [DATA_WIDTH-1:0] s00_axi_wdata, input logic [STRB_WIDTH-1:0] s00_axi_wstrb,
    input logic s00_axi_wlast, s00_axi_wvalid, output logic s00_axi_wready,
    output logic [ID_WIDTH-1:0] s00_axi_bid, output logic [1:0] s00_axi_bresp,
    output logic s00_axi_bvalid, input logic s00_axi_bready,
    input logic [ID_WIDTH-1:0] s00_axi_arid, input logic [ADDR_WIDTH-1:0] s00_axi_araddr,
    input logic [7:0] s00_axi_arlen, input logic [2:0] s00_axi_arsize, input logic [1:0] s00_axi_arburst,
    input logic s00_axi_arvalid, output logic s00_axi_arready,
    output logic [ID_WIDTH-1:0] s00_axi_rid, output logic [DATA_WIDTH-1:0] s00_axi_rdata,
    output logic [1:0] s00_axi_rresp, output logic s00_axi_rlast, s00_axi_rvalid, input logic s00_axi_rready,

    input logic [ID_WIDTH-1:0] s01_axi_awid, input logic [ADDR_WIDTH-1:0] s01_axi_awaddr,
    input logic [7:0] s01_axi_awlen, input logic [2:0] s01_axi_awsize, input logic [1:0] s01_axi_awburst,
    input logic s01_axi_awvalid, output logic s01_axi_awready,
    input logic [DATA_WIDTH-1:0] s01_axi_wdata, input logic [STRB_WIDTH-1:0] s01_axi_wstrb,
    input logic s01_axi_wlast, s01_axi_wvalid, output logic s01_axi_wready,
    output logic [ID_WIDTH-1:0] s01_axi_bid, output logic [1:0] s01_axi_bresp,
    output logic s01_axi_bvalid, input logic s01_axi_bready,
    input logic [ID_WIDTH-1:0] s01_axi_arid, input logic [ADDR_WIDTH-1:0] s01_axi_araddr,
    input logic [7:0] s01_axi_arlen, input logic [2:0] s01_axi_arsize, input logic [1:0] s01_axi_arburst,
    input logic s01_axi_arvalid, output logic s01_axi_arready,
    output logic [ID_WIDTH-1:0] s01_axi_rid, output logic [DATA_WIDTH-1:0] s01_axi_rdata,
    output logic [1:0] s01_axi_rresp, output logic s01_axi_rlast, s01_axi_rvalid, input logic s01_axi_rready
);
  localparam int LANE_BITS = $clog2(STRB_WIDTH);
  localparam int WORD_BITS = ADDR_WIDTH - LANE_BITS;
  logic [DATA_WIDTH-1:0] memory[1 << WORD_BITS];
  logic [WORD_BITS-1:0] where[2], look[2];
  logic [DATA_WIDTH-1:0] what[2], found[2];
  logic [STRB_WIDTH-1:0] which[2];
  always_ff @(posedge clk)
    for (int port = 0; port < 2; ++port)
      for (int i = 0; i < STRB_WIDTH; ++i)
        if (which[port][i]) memory[where[port]][8*i+:8] <= what[port][8*i+:8];
  assign found[0] = memory[look[0]], found[1] = memory[look[1]];

  axi_ram_port #(DATA_WIDTH, ADDR_WIDTH, ID_WIDTH) first (
      .clk, .rst_n, .where(where[0]), .what(what[0]), .which(which[0]), .look(look[0]), .found(found[0]),
      .awid(s00_axi_awid), .awaddr(s00_axi_awaddr), .awlen(s00_axi_awlen), .awsize(s00_axi_awsize),
      .awburst(s00_axi_awburst), .awvalid(s00_axi_awvalid), .awready(s00_axi_awready),
      .wdata(s00_axi_wdata), .wstrb(s00_axi_wstrb), .wlast(s00_axi_wlast), .wvalid(s00_axi_wvalid),
      .wready(s00_axi_wready), .bid(s00_axi_bid), .bresp(s00_axi_bresp), .bvalid(s00_axi_bvalid),
      .bready(s00_axi_bready), .arid(s00_axi_arid), .araddr(s00_axi_araddr), .arlen(s00_axi_arlen),
      .arsize(s00_axi_arsize), .arburst(s00_axi_arburst), .arvalid(s00_axi_arvalid),
      .arready(s00_axi_arready), .rid(s00_axi_rid), .rdata(s00_axi_rdata), .rresp(s00_axi_rresp),
      .rlast(s00_axi_rlast), .rvalid(s00_axi_rvalid), .rready(s00_axi_rready));
  axi_ram_port #(DATA_WIDTH, ADDR_WIDTH, ID_WIDTH) second (
      .clk, .rst_n, .where(where[1]), .what(what[1]), .which(which[1]), .look(look[1]), .found(found[1]),
      .awid(s01_axi_awid), .awaddr(s01_axi_awaddr), .awlen(s01_axi_awlen), .awsize(s01_axi_awsize),
      .awburst(s01_axi_awburst), .awvalid(s01_axi_awvalid), .awready(s01_axi_awready),
      .wdata(s01_axi_wdata), .wstrb(s01_axi_wstrb), .wlast(s01_axi_wlast), .wvalid(s01_axi_wvalid),
      .wready(s01_axi_wready), .bid(s01_axi_bid), .bresp(s01_axi_bresp), .bvalid(s01_axi_bvalid),
      .bready(s01_axi_bready), .arid(s01_axi_arid), .araddr(s01_axi_araddr), .arlen(s01_axi_arlen),
      .arsize(s01_axi_arsize), .arburst(s01_axi_arburst), .arvalid(s01_axi_arvalid),
      .arready(s01_axi_arready), .rid(s01_axi_rid), .rdata(s01_axi_rdata), .rresp(s01_axi_rresp),
      .rlast(s01_axi_rlast), .rvalid(s01_axi_rvalid), .rready(s01_axi_rready));
endmodule

module axi_ram_port #(
    parameter int DATA_WIDTH = 32, ADDR_WIDTH = 16, ID_WIDTH = 4,
    localparam int STRB_WIDTH = DATA_WIDTH / 8, LANE_BITS = $clog2(STRB_WIDTH),
    localparam int WORD_BITS = ADDR_WIDTH - LANE_BITS
) (
    input logic clk, rst_n,
    output logic [WORD_BITS-1:0] where, look,
    output logic [DATA_WIDTH-1:0] what, input logic [DATA_WIDTH-1:0] found,
    output logic [STRB_WIDTH-1:0] which,
    input logic [ID_WIDTH-1:0] awid, arid, input logic [ADDR_WIDTH-1:0] awaddr, araddr,
    input logic [7:0] awlen, arlen, input logic [2:0] awsize, arsize, input logic [1:0] awburst, arburst,
    input logic awvalid, arvalid, output logic awready, arready,
    input logic [DATA_WIDTH-1:0] wdata, input logic [STRB_WIDTH-1:0] wstrb, input logic wlast, wvalid,
    output logic wready,
    output logic [ID_WIDTH-1:0] bid, rid, output logic [1:0] bresp, rresp, output logic bvalid, input logic bready,
    output logic [DATA_WIDTH-1:0] rdata, output logic rlast, rvalid, input logic rready
);
  // IHI 0022 A3.4.1: the address of the beat after this one.
  function automatic logic [ADDR_WIDTH-1:0] next(input logic [ADDR_WIDTH-1:0] at, input logic [7:0] len,
                                                 input logic [2:0] size, input logic [1:0] burst);
    logic [ADDR_WIDTH-1:0] step, wrap, after;
    step = ADDR_WIDTH'(1) << size;
    wrap = (ADDR_WIDTH'(len) + 1) << size;
    after = (at & ~(step - 1)) + step;
    next = burst == 2'b00 ? at : burst == 2'b10 ? (at & ~(wrap - 1)) | (after & (wrap - 1)) : after;
  endfunction

  logic writing, reading;
  logic [ADDR_WIDTH-1:0] at, from;
  logic [7:0] len, length, left;
  logic [2:0] size, read_size;
  logic [1:0] burst, read_burst;
  assign awready = ~writing & ~bvalid;
  assign wready = writing;
  assign arready = ~reading;
  assign bresp = 2'b00, rresp = 2'b00;
  assign where = at[ADDR_WIDTH-1:LANE_BITS], what = wdata, which = wvalid & wready ? wstrb : '0;
  assign look = from[ADDR_WIDTH-1:LANE_BITS];
  assign rvalid = reading, rdata = found, rlast = left == 0;
  always_ff @(posedge clk) begin
    if (awvalid & awready) begin
      writing <= 1'b1;
      at <= awaddr;
      {bid, len, size, burst} <= {awid, awlen, awsize, awburst};
    end
    if (wvalid & wready) begin
      at <= next(at, len, size, burst);
      if (wlast) begin
        writing <= 1'b0;
        bvalid <= 1'b1;
      end
    end
    if (bvalid & bready) bvalid <= 1'b0;
    if (arvalid & arready) begin
      reading <= 1'b1;
      from <= araddr;
      left <= arlen;
      {rid, length, read_size, read_burst} <= {arid, arlen, arsize, arburst};
    end
    if (rvalid & rready) begin
      from <= next(from, length, read_size, read_burst);
      left <= left - 1;
      if (rlast) reading <= 1'b0;
    end
    if (~rst_n) {writing, reading, bvalid} <= '0;
  end
endmodule
