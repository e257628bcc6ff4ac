// SPDX-License-Identifier: Apache-2.0
// AXI BRAM controller (after PG078): an AXI4 port of 32 bits in front of a block RAM with one port
// and a cycle of latency.  One burst at a time, reads and writes in turn where both wait; a beat a
// cycle.  Addresses from the size of the RAM on wrap around, as they do there.
// Not here: ECC, AxLOCK (answered OKAY), AxCACHE, AxPROT, AxQOS.
module axi_bram_controller #(
    parameter ID = 6
) (
    input logic aclk,
    input logic aresetn,

    input  logic [  31:0] s_axi_awaddr,
    input  logic [ID-1:0] s_axi_awid,
    input  logic [   7:0] s_axi_awlen,
    input  logic [   2:0] s_axi_awsize,
    input  logic [   1:0] s_axi_awburst,
    input  logic          s_axi_awvalid,
    output logic          s_axi_awready,
    input  logic [  31:0] s_axi_wdata,
    input  logic [   3:0] s_axi_wstrb,
    input  logic          s_axi_wlast,
    input  logic          s_axi_wvalid,
    output logic          s_axi_wready,
    output logic [ID-1:0] s_axi_bid,
    output logic [   1:0] s_axi_bresp,
    output logic          s_axi_bvalid,
    input  logic          s_axi_bready,
    input  logic [  31:0] s_axi_araddr,
    input  logic [ID-1:0] s_axi_arid,
    input  logic [   7:0] s_axi_arlen,
    input  logic [   2:0] s_axi_arsize,
    input  logic [   1:0] s_axi_arburst,
    input  logic          s_axi_arvalid,
    output logic          s_axi_arready,
    output logic [ID-1:0] s_axi_rid,
    output logic [  31:0] s_axi_rdata,
    output logic [   1:0] s_axi_rresp,
    output logic          s_axi_rlast,
    output logic          s_axi_rvalid,
    input  logic          s_axi_rready,

    // The block RAM: its data are there in the cycle after bram_en.
    output logic        bram_en,
    output logic [ 3:0] bram_we,
    output logic [31:0] bram_addr,  // bytes; the lowest two bits are 0
    output logic [31:0] bram_wrdata,
    input  logic [31:0] bram_rddata
);
  localparam [1:0] OKAY = 2'b00;

  logic writing, reading, prefers_read;
  logic [31:0] address, next;
  logic [7:0] len, left;
  logic [2:0] size;
  logic [1:0] burst;
  axi_burst_address of_beat (address, len, size, burst, next);

  // ---- addresses: one burst at a time; who is not asked for lets the other go (A3.1.1: no ready
  // that depends on a valid in the same cycle) ----

  logic idle, take_write, take_read;
  assign idle = !writing && !reading;
  assign take_write = s_axi_awvalid && s_axi_awready;
  assign take_read = s_axi_arvalid && s_axi_arready;
  assign s_axi_awready = idle && !prefers_read;
  assign s_axi_arready = idle && prefers_read;

  // ---- data ----

  logic write_beat, read_beat, taken;
  logic [1:0] ahead;  // beats read and not yet taken: as many as the slice holds
  assign write_beat = s_axi_wvalid && s_axi_wready;
  assign taken = s_axi_rvalid && s_axi_rready;
  assign read_beat = reading && (ahead != 2 || taken);
  assign s_axi_wready = writing && !s_axi_bvalid;
  assign s_axi_bresp = OKAY;
  assign s_axi_rresp = OKAY;

  assign bram_en = write_beat || read_beat;
  assign bram_we = write_beat ? s_axi_wstrb : 4'b0;
  assign bram_addr = {address[31:2], 2'b00};
  assign bram_wrdata = s_axi_wdata;

  // A beat's data come a cycle after it.
  logic data_valid, data_last, slice_ready;
  logic [ID-1:0] id, data_id;
  axi_slice #(ID + 33) data_slice (
      aclk, aresetn, data_valid, slice_ready, {data_id, bram_rddata, data_last},
      s_axi_rvalid, s_axi_rready, {s_axi_rid, s_axi_rdata, s_axi_rlast});

  always_ff @(posedge aclk) begin
    if (take_write || take_read) begin
      address <= take_write ? s_axi_awaddr : s_axi_araddr;
      len <= take_write ? s_axi_awlen : s_axi_arlen;
      left <= take_write ? s_axi_awlen : s_axi_arlen;
      size <= take_write ? s_axi_awsize : s_axi_arsize;
      burst <= take_write ? s_axi_awburst : s_axi_arburst;
      id <= take_write ? s_axi_awid : s_axi_arid;
      writing <= take_write;
      reading <= take_read;
      prefers_read <= take_write;
    end else if (idle && (prefers_read ? s_axi_awvalid : s_axi_arvalid)) begin
      prefers_read <= !prefers_read;
    end
    if (write_beat || read_beat) begin
      address <= next;
      left <= left - 1;
    end
    if (write_beat && s_axi_wlast) begin
      s_axi_bvalid <= 1'b1;
      s_axi_bid <= id;
    end
    if (s_axi_bvalid && s_axi_bready) begin
      s_axi_bvalid <= 1'b0;
      writing <= 1'b0;
    end
    if (read_beat && left == 0) reading <= 1'b0;
    data_valid <= read_beat;
    data_last <= left == 0;
    data_id <= id;
    ahead <= ahead + 2'(read_beat) - 2'(taken);
    if (!aresetn) begin
      writing <= 1'b0;
      reading <= 1'b0;
      prefers_read <= 1'b1;
      s_axi_bvalid <= 1'b0;
      data_valid <= 1'b0;
      ahead <= 0;
    end
  end

`ifdef VERILATOR
  always_ff @(posedge aclk)
    if (aresetn) begin
      if (data_valid) assert (slice_ready);  // nothing is lost
      assert (!(take_write && take_read));
      assert (ahead <= 2);
    end
`endif
endmodule
