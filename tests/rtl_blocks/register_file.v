// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite registers, in Verilog-2001: names that SystemVerilog reserves, ports declared in the
// body, capital letters.  Register 0 is read-only and has a parameter in it; bit 0 of register 1 is
// the interrupt; beyond the last register is SLVERR.
module register_file (S_AXI_ACLK, S_AXI_ARESETN,
                      S_AXI_AWADDR, S_AXI_AWPROT, S_AXI_AWVALID, S_AXI_AWREADY,
                      S_AXI_WDATA, S_AXI_WSTRB, S_AXI_WVALID, S_AXI_WREADY,
                      S_AXI_BRESP, S_AXI_BVALID, S_AXI_BREADY,
                      S_AXI_ARADDR, S_AXI_ARPROT, S_AXI_ARVALID, S_AXI_ARREADY,
                      S_AXI_RDATA, S_AXI_RRESP, S_AXI_RVALID, S_AXI_RREADY,
                      mode, int_o);
  parameter REGISTERS = 8;
  parameter VERSION = 32'h0;
  parameter TEXT = "none";
  localparam OKAY = 2'b00, SLVERR = 2'b10;
  input S_AXI_ACLK, S_AXI_ARESETN;
  input [11:0] S_AXI_AWADDR, S_AXI_ARADDR;
  input [2:0] S_AXI_AWPROT, S_AXI_ARPROT;
  input S_AXI_AWVALID, S_AXI_WVALID, S_AXI_BREADY, S_AXI_ARVALID, S_AXI_RREADY;
  output S_AXI_AWREADY, S_AXI_WREADY, S_AXI_ARREADY;
  input [31:0] S_AXI_WDATA;
  input [3:0] S_AXI_WSTRB;
  output reg [1:0] S_AXI_BRESP, S_AXI_RRESP;
  output reg S_AXI_BVALID, S_AXI_RVALID;
  output reg [31:0] S_AXI_RDATA;
  input [2:0] mode;
  output int_o;

  reg [31:0] bit [0:REGISTERS-1];
  integer byte;
  wire do = S_AXI_AWVALID & S_AXI_WVALID & (~S_AXI_BVALID | S_AXI_BREADY);
  wire [9:0] final = S_AXI_AWADDR[11:2];
  assign S_AXI_AWREADY = do;
  assign S_AXI_WREADY = do;
  assign S_AXI_ARREADY = ~S_AXI_RVALID | S_AXI_RREADY;
  assign int_o = bit[1][0];

  always @(posedge S_AXI_ACLK) begin
    if (S_AXI_BREADY) S_AXI_BVALID <= 1'b0;
    if (do) begin
      S_AXI_BVALID <= 1'b1;
      S_AXI_BRESP <= final < REGISTERS ? OKAY : SLVERR;
      for (byte = 0; byte < 4; byte = byte + 1)
        if (S_AXI_WSTRB[byte] && final < REGISTERS)
          bit[final][8*byte +: 8] <= #1 S_AXI_WDATA[8*byte +: 8];
    end
    if (S_AXI_RREADY) S_AXI_RVALID <= 1'b0;
    if (S_AXI_ARVALID & S_AXI_ARREADY) begin
      S_AXI_RVALID <= 1'b1;
      S_AXI_RRESP <= S_AXI_ARADDR[11:2] < REGISTERS ? OKAY : SLVERR;
      S_AXI_RDATA <= S_AXI_ARADDR[11:2] == 0 ? VERSION + {29'b0, mode} + TEXT :
                     S_AXI_ARADDR[11:2] < REGISTERS ? bit[S_AXI_ARADDR[11:2]] : 32'b0;
    end
    if (~S_AXI_ARESETN) begin
      S_AXI_BVALID <= 1'b0;
      S_AXI_RVALID <= 1'b0;
      bit[1] <= 32'b0;
    end
  end
endmodule
