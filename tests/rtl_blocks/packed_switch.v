// SPDX-License-Identifier: Apache-2.0
// An interconnect in the style of those that hold all ports of a side in one vector a signal: port i
// of the slaves leads to port i of the masters, with an offset put on its addresses.  Wires, but for
// a mark for each port that something has been written through it since reset.
`include "packed_switch.vh"

module packed_switch #(
    parameter PORTS = 1,
    parameter [PORTS*32-1:0] OFFSETS = 0,
    parameter USER = 1
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [       PORTS*`ID-1:0] s_axi_awid,
    input  wire [        PORTS*32-1:0] s_axi_awaddr,
    input  wire [         PORTS*8-1:0] s_axi_awlen,
    input  wire [         PORTS*3-1:0] s_axi_awsize,
    input  wire [         PORTS*2-1:0] s_axi_awburst,
    input  wire [         PORTS*2-1:0] s_axi_awlock,
    input  wire [         PORTS*4-1:0] s_axi_awcache,
    input  wire [         PORTS*3-1:0] s_axi_awprot,
    input  wire [         PORTS*4-1:0] s_axi_awqos,
    input  wire [         PORTS*4-1:0] s_axi_awregion,
    input  wire [      PORTS*USER-1:0] s_axi_awuser,
    input  wire [           PORTS-1:0] s_axi_awvalid,
    output wire [           PORTS-1:0] s_axi_awready,
    input  wire [     PORTS*`DATA-1:0] s_axi_wdata,
    input  wire [   PORTS*`DATA/8-1:0] s_axi_wstrb,
    input  wire [           PORTS-1:0] s_axi_wlast,
    input  wire [      PORTS*USER-1:0] s_axi_wuser,
    input  wire [           PORTS-1:0] s_axi_wvalid,
    output wire [           PORTS-1:0] s_axi_wready,
    output wire [       PORTS*`ID-1:0] s_axi_bid,
    output wire [         PORTS*2-1:0] s_axi_bresp,
    output wire [      PORTS*USER-1:0] s_axi_buser,
    output wire [           PORTS-1:0] s_axi_bvalid,
    input  wire [           PORTS-1:0] s_axi_bready,
    input  wire [       PORTS*`ID-1:0] s_axi_arid,
    input  wire [        PORTS*32-1:0] s_axi_araddr,
    input  wire [         PORTS*8-1:0] s_axi_arlen,
    input  wire [         PORTS*3-1:0] s_axi_arsize,
    input  wire [         PORTS*2-1:0] s_axi_arburst,
    input  wire [           PORTS-1:0] s_axi_arvalid,
    output wire [           PORTS-1:0] s_axi_arready,
    output wire [       PORTS*`ID-1:0] s_axi_rid,
    output wire [     PORTS*`DATA-1:0] s_axi_rdata,
    output wire [         PORTS*2-1:0] s_axi_rresp,
    output wire [           PORTS-1:0] s_axi_rlast,
    output wire [           PORTS-1:0] s_axi_rvalid,
    input  wire [           PORTS-1:0] s_axi_rready,

    output wire [       PORTS*`ID-1:0] m_axi_awid,
    output wire [        PORTS*32-1:0] m_axi_awaddr,
    output wire [         PORTS*8-1:0] m_axi_awlen,
    output wire [         PORTS*3-1:0] m_axi_awsize,
    output wire [         PORTS*2-1:0] m_axi_awburst,
    output wire [         PORTS*2-1:0] m_axi_awlock,
    output wire [         PORTS*4-1:0] m_axi_awcache,
    output wire [         PORTS*3-1:0] m_axi_awprot,
    output wire [         PORTS*4-1:0] m_axi_awqos,
    output wire [         PORTS*4-1:0] m_axi_awregion,
    output wire [      PORTS*USER-1:0] m_axi_awuser,
    output wire [           PORTS-1:0] m_axi_awvalid,
    input  wire [           PORTS-1:0] m_axi_awready,
    output wire [     PORTS*`DATA-1:0] m_axi_wdata,
    output wire [   PORTS*`DATA/8-1:0] m_axi_wstrb,
    output wire [           PORTS-1:0] m_axi_wlast,
    output wire [           PORTS-1:0] m_axi_wvalid,
    input  wire [           PORTS-1:0] m_axi_wready,
    input  wire [       PORTS*`ID-1:0] m_axi_bid,
    input  wire [         PORTS*2-1:0] m_axi_bresp,
    input  wire [           PORTS-1:0] m_axi_bvalid,
    output wire [           PORTS-1:0] m_axi_bready,
    output wire [       PORTS*`ID-1:0] m_axi_arid,
    output wire [        PORTS*32-1:0] m_axi_araddr,
    output wire [         PORTS*8-1:0] m_axi_arlen,
    output wire [         PORTS*3-1:0] m_axi_arsize,
    output wire [         PORTS*2-1:0] m_axi_arburst,
    output wire [           PORTS-1:0] m_axi_arvalid,
    input  wire [           PORTS-1:0] m_axi_arready,
    input  wire [       PORTS*`ID-1:0] m_axi_rid,
    input  wire [     PORTS*`DATA-1:0] m_axi_rdata,
    input  wire [         PORTS*2-1:0] m_axi_rresp,
    input  wire [           PORTS-1:0] m_axi_rlast,
    input  wire [           PORTS-1:0] m_axi_rvalid,
    output wire [           PORTS-1:0] m_axi_rready,

    output reg  [           PORTS-1:0] written
);
  genvar i;
  generate
    for (i = 0; i < PORTS; i = i + 1) begin : port
      assign m_axi_awaddr[i*32+:32] = s_axi_awaddr[i*32+:32] + OFFSETS[i*32+:32];
      assign m_axi_araddr[i*32+:32] = s_axi_araddr[i*32+:32] + OFFSETS[i*32+:32];
    end
  endgenerate
  assign m_axi_awid = s_axi_awid, m_axi_awlen = s_axi_awlen, m_axi_awsize = s_axi_awsize;
  assign m_axi_awburst = s_axi_awburst, m_axi_awlock = s_axi_awlock, m_axi_awcache = s_axi_awcache;
  assign m_axi_awprot = s_axi_awprot, m_axi_awqos = s_axi_awqos, m_axi_awregion = s_axi_awregion;
  assign m_axi_awuser = s_axi_awuser, m_axi_awvalid = s_axi_awvalid, s_axi_awready = m_axi_awready;
  assign m_axi_wdata = s_axi_wdata, m_axi_wstrb = s_axi_wstrb, m_axi_wlast = s_axi_wlast;
  assign m_axi_wvalid = s_axi_wvalid, s_axi_wready = m_axi_wready, s_axi_buser = s_axi_wuser;
  assign s_axi_bid = m_axi_bid, s_axi_bresp = m_axi_bresp, s_axi_bvalid = m_axi_bvalid;
  assign m_axi_bready = s_axi_bready, m_axi_arid = s_axi_arid, m_axi_arlen = s_axi_arlen;
  assign m_axi_arsize = s_axi_arsize, m_axi_arburst = s_axi_arburst, m_axi_arvalid = s_axi_arvalid;
  assign s_axi_arready = m_axi_arready, s_axi_rid = m_axi_rid, s_axi_rdata = m_axi_rdata;
  assign s_axi_rresp = m_axi_rresp, s_axi_rlast = m_axi_rlast, s_axi_rvalid = m_axi_rvalid;
  assign m_axi_rready = s_axi_rready;

  always @(posedge clk)
    if (rst) written <= 0;
    else written <= written | (s_axi_awvalid & s_axi_awready);
endmodule
