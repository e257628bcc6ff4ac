// SPDX-License-Identifier: Apache-2.0
// Copies 64-bit words between addresses of a bus, in the style of a vendor's packaged IP: a clock
// and a reset for each interface, C_ parameters, user signals, pins that the template has and
// nobody needs.  Registers: from, to, bytes (a multiple of 8), control (bit 0 starts; bit 1: done,
// bit 2: a response was an error).
`timescale 1 ns / 1 ps
module vendor_dma #(
    parameter integer C_S00_AXI_DATA_WIDTH = 32,
    parameter integer C_S00_AXI_ADDR_WIDTH = 4,
    parameter integer C_M00_AXI_ID_WIDTH = 1,
    parameter integer C_M00_AXI_ADDR_WIDTH = 32,
    parameter integer C_M00_AXI_DATA_WIDTH = 64,
    parameter integer C_M00_AXI_BURST_LEN = 16,
    parameter integer C_M00_AXI_AWUSER_WIDTH = 1,
    parameter integer C_M00_AXI_BUSER_WIDTH = 1
) (
    input wire m00_axi_init_axi_txn,
    output wire m00_axi_txn_done,
    output wire introut,

    input wire s00_axi_aclk, s00_axi_aresetn,
    input wire [C_S00_AXI_ADDR_WIDTH-1 : 0] s00_axi_awaddr,
    input wire [2 : 0] s00_axi_awprot,
    input wire s00_axi_awvalid, output wire s00_axi_awready,
    input wire [C_S00_AXI_DATA_WIDTH-1 : 0] s00_axi_wdata,
    input wire [(C_S00_AXI_DATA_WIDTH/8)-1 : 0] s00_axi_wstrb,
    input wire s00_axi_wvalid, output wire s00_axi_wready,
    output wire [1 : 0] s00_axi_bresp, output reg s00_axi_bvalid, input wire s00_axi_bready,
    input wire [C_S00_AXI_ADDR_WIDTH-1 : 0] s00_axi_araddr,
    input wire [2 : 0] s00_axi_arprot,
    input wire s00_axi_arvalid, output wire s00_axi_arready,
    output reg [C_S00_AXI_DATA_WIDTH-1 : 0] s00_axi_rdata,
    output wire [1 : 0] s00_axi_rresp, output reg s00_axi_rvalid, input wire s00_axi_rready,

    input wire m00_axi_aclk, m00_axi_aresetn,
    output wire [C_M00_AXI_ID_WIDTH-1 : 0] m00_axi_awid,
    output wire [C_M00_AXI_ADDR_WIDTH-1 : 0] m00_axi_awaddr,
    output wire [7 : 0] m00_axi_awlen, output wire [2 : 0] m00_axi_awsize, output wire [1 : 0] m00_axi_awburst,
    output wire m00_axi_awlock, output wire [3 : 0] m00_axi_awcache, output wire [2 : 0] m00_axi_awprot,
    output wire [3 : 0] m00_axi_awqos, output wire [C_M00_AXI_AWUSER_WIDTH-1 : 0] m00_axi_awuser,
    output wire m00_axi_awvalid, input wire m00_axi_awready,
    output wire [C_M00_AXI_DATA_WIDTH-1 : 0] m00_axi_wdata,
    output wire [C_M00_AXI_DATA_WIDTH/8-1 : 0] m00_axi_wstrb,
    output wire m00_axi_wlast, m00_axi_wvalid, input wire m00_axi_wready,
    input wire [C_M00_AXI_ID_WIDTH-1 : 0] m00_axi_bid, input wire [1 : 0] m00_axi_bresp,
    input wire [C_M00_AXI_BUSER_WIDTH-1 : 0] m00_axi_buser,
    input wire m00_axi_bvalid, output wire m00_axi_bready,
    output wire [C_M00_AXI_ID_WIDTH-1 : 0] m00_axi_arid,
    output wire [C_M00_AXI_ADDR_WIDTH-1 : 0] m00_axi_araddr,
    output wire [7 : 0] m00_axi_arlen, output wire [2 : 0] m00_axi_arsize, output wire [1 : 0] m00_axi_arburst,
    output wire m00_axi_arlock, output wire [3 : 0] m00_axi_arcache, output wire [2 : 0] m00_axi_arprot,
    output wire [3 : 0] m00_axi_arqos,
    output wire m00_axi_arvalid, input wire m00_axi_arready,
    input wire [C_M00_AXI_ID_WIDTH-1 : 0] m00_axi_rid, input wire [C_M00_AXI_DATA_WIDTH-1 : 0] m00_axi_rdata,
    input wire [1 : 0] m00_axi_rresp, input wire m00_axi_rlast, m00_axi_rvalid, output wire m00_axi_rready
);
  localparam [2:0] IDLE = 3'd0, ASK = 3'd1, FILL = 3'd2, TELL = 3'd3, SEND = 3'd4, HEAR = 3'd5;
  reg [2:0] step;
  reg [31:0] from, to, bytes;
  reg done, failed;
  reg [C_M00_AXI_DATA_WIDTH-1:0] buffer [0:C_M00_AXI_BURST_LEN-1];
  reg [7:0] beats, beat;

  // ---- registers ----
  wire write = s00_axi_awvalid & s00_axi_wvalid & ~s00_axi_bvalid;
  assign s00_axi_awready = write;
  assign s00_axi_wready = write;
  assign s00_axi_arready = ~s00_axi_rvalid;
  assign s00_axi_bresp = 2'b00;
  assign s00_axi_rresp = 2'b00;
  wire start = write & s00_axi_awaddr[3:2] == 2'd3 & s00_axi_wdata[0] & s00_axi_wstrb[0];
  always @(posedge s00_axi_aclk) begin
    if (s00_axi_bready) s00_axi_bvalid <= 1'b0;
    if (write) s00_axi_bvalid <= 1'b1;
    if (s00_axi_rready) s00_axi_rvalid <= 1'b0;
    if (s00_axi_arvalid & s00_axi_arready) begin
      s00_axi_rvalid <= 1'b1;
      case (s00_axi_araddr[3:2])
        2'd0: s00_axi_rdata <= from;
        2'd1: s00_axi_rdata <= to;
        2'd2: s00_axi_rdata <= bytes;
        default: s00_axi_rdata <= {29'b0, failed, done, step != IDLE};
      endcase
    end
    if (!s00_axi_aresetn) begin
      s00_axi_bvalid <= 1'b0;
      s00_axi_rvalid <= 1'b0;
    end
  end

  // ---- bursts: at most C_M00_AXI_BURST_LEN beats, none across 4 KiB ----
  function [7:0] burst_of;
    input [31:0] source, target, left;
    reg [31:0] most;
    begin
      most = C_M00_AXI_BURST_LEN;
      if (left >> 3 < most) most = left >> 3;
      if ((32'h1000 - {20'b0, source[11:0]}) >> 3 < most) most = (32'h1000 - {20'b0, source[11:0]}) >> 3;
      if ((32'h1000 - {20'b0, target[11:0]}) >> 3 < most) most = (32'h1000 - {20'b0, target[11:0]}) >> 3;
      burst_of = most[7:0];
    end
  endfunction
  wire [7:0] next_burst = burst_of(from, to, bytes);
  assign m00_axi_araddr = from;
  assign m00_axi_arvalid = step == ASK;
  assign m00_axi_arlen = next_burst - 8'd1;
  assign m00_axi_rready = step == FILL;
  assign m00_axi_awaddr = to;
  assign m00_axi_awvalid = step == TELL;
  assign m00_axi_awlen = beats - 8'd1;
  assign m00_axi_wdata = buffer[beat];
  assign m00_axi_wstrb = {(C_M00_AXI_DATA_WIDTH/8){1'b1}};
  assign m00_axi_wvalid = step == SEND;
  assign m00_axi_wlast = beat == beats - 8'd1;
  assign m00_axi_bready = step == HEAR;
  assign {m00_axi_awid, m00_axi_arid, m00_axi_awuser} = 0;
  assign {m00_axi_awlock, m00_axi_arlock, m00_axi_awqos, m00_axi_arqos} = 0;
  assign {m00_axi_awprot, m00_axi_arprot} = 0;
  assign {m00_axi_awcache, m00_axi_arcache} = 8'b0010_0010;
  assign {m00_axi_awsize, m00_axi_arsize} = {3'd3, 3'd3};
  assign {m00_axi_awburst, m00_axi_arburst} = 4'b01_01;
  assign m00_axi_txn_done = done;
  assign introut = done;
  always @(posedge m00_axi_aclk) begin
    case (step)
      ASK: if (m00_axi_arready) begin
        beats <= next_burst;
        beat <= 8'd0;
        step <= FILL;
      end
      FILL: if (m00_axi_rvalid) begin
        buffer[beat] <= m00_axi_rdata;
        beat <= m00_axi_rlast ? 8'd0 : beat + 8'd1;
        failed <= failed | m00_axi_rresp[1];
        if (m00_axi_rlast) step <= TELL;
      end
      TELL: if (m00_axi_awready) step <= SEND;
      SEND: if (m00_axi_wready) begin
        beat <= beat + 8'd1;
        if (m00_axi_wlast) step <= HEAR;
      end
      HEAR: if (m00_axi_bvalid) begin
        failed <= failed | m00_axi_bresp[1];
        from <= from + {21'b0, beats, 3'b0};
        to <= to + {21'b0, beats, 3'b0};
        bytes <= bytes - {21'b0, beats, 3'b0};
        step <= bytes == {21'b0, beats, 3'b0} ? IDLE : ASK;
        done <= bytes == {21'b0, beats, 3'b0};
      end
      default: begin
        if (start | m00_axi_init_axi_txn) begin
          done <= bytes == 32'd0;
          failed <= 1'b0;
          step <= bytes == 32'd0 ? IDLE : ASK;
        end
        if (write)
          case (s00_axi_awaddr[3:2])
            2'd0: from <= s00_axi_wdata;
            2'd1: to <= s00_axi_wdata;
            2'd2: bytes <= s00_axi_wdata;
            default: ;
          endcase
      end
    endcase
    if (!m00_axi_aresetn) begin
      step <= IDLE;
      done <= 1'b0;
      failed <= 1'b0;
    end
  end
endmodule
