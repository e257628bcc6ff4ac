// SPDX-License-Identifier: Apache-2.0
// From AXI4 to AXI4-Lite (IHI 0022 B1), 32 bits wide: a burst becomes single transfers, one after
// the other, one burst of each direction at a time.  A write is answered with the first error of
// its transfers, each beat of a read with its own response.
// Not here: exclusive accesses, which AXI4-Lite does not have (they are ordinary ones), AxCACHE,
// AxQOS.
module axi_lite_bridge #(
    parameter ID = 6
) (
    input logic aclk,
    input logic aresetn,

    input  logic [    31:0] s_axi_awaddr,
    input  logic [  ID-1:0] s_axi_awid,
    input  logic [     7:0] s_axi_awlen,
    input  logic [     2:0] s_axi_awsize,
    input  logic [     1:0] s_axi_awburst,
    input  logic [     2:0] s_axi_awprot,
    input  logic            s_axi_awvalid,
    output logic            s_axi_awready,
    input  logic [    31:0] s_axi_wdata,
    input  logic [     3:0] s_axi_wstrb,
    input  logic            s_axi_wlast,
    input  logic            s_axi_wvalid,
    output logic            s_axi_wready,
    output logic [  ID-1:0] s_axi_bid,
    output logic [     1:0] s_axi_bresp,
    output logic            s_axi_bvalid,
    input  logic            s_axi_bready,
    input  logic [    31:0] s_axi_araddr,
    input  logic [  ID-1:0] s_axi_arid,
    input  logic [     7:0] s_axi_arlen,
    input  logic [     2:0] s_axi_arsize,
    input  logic [     1:0] s_axi_arburst,
    input  logic [     2:0] s_axi_arprot,
    input  logic            s_axi_arvalid,
    output logic            s_axi_arready,
    output logic [  ID-1:0] s_axi_rid,
    output logic [    31:0] s_axi_rdata,
    output logic [     1:0] s_axi_rresp,
    output logic            s_axi_rlast,
    output logic            s_axi_rvalid,
    input  logic            s_axi_rready,

    output logic [31:0] m_axi_awaddr,
    output logic [ 2:0] m_axi_awprot,
    output logic        m_axi_awvalid,
    input  logic        m_axi_awready,
    output logic [31:0] m_axi_wdata,
    output logic [ 3:0] m_axi_wstrb,
    output logic        m_axi_wvalid,
    input  logic        m_axi_wready,
    input  logic [ 1:0] m_axi_bresp,
    input  logic        m_axi_bvalid,
    output logic        m_axi_bready,
    output logic [31:0] m_axi_araddr,
    output logic [ 2:0] m_axi_arprot,
    output logic        m_axi_arvalid,
    input  logic        m_axi_arready,
    input  logic [31:0] m_axi_rdata,
    input  logic [ 1:0] m_axi_rresp,
    input  logic        m_axi_rvalid,
    output logic        m_axi_rready
);
  localparam [1:0] OKAY = 2'b00;

  // ---- writes ----

  logic writing;      // a burst has been taken
  logic transferring; // a beat is on its way
  logic is_last;      // ... the last one
  logic [7:0] aw_len;
  logic [2:0] aw_size;
  logic [1:0] aw_burst;
  logic [31:0] aw_address, aw_next;
  axi_burst_address of_write (aw_address, aw_len, aw_size, aw_burst, aw_next);

  assign s_axi_awready = !writing;
  assign s_axi_wready = writing && !transferring && !s_axi_bvalid;
  assign m_axi_bready = transferring;

  always_ff @(posedge aclk) begin
    if (s_axi_awvalid && s_axi_awready) begin
      writing <= 1'b1;
      s_axi_bid <= s_axi_awid;
      s_axi_bresp <= OKAY;
      aw_address <= s_axi_awaddr;
      aw_len <= s_axi_awlen;
      aw_size <= s_axi_awsize;
      aw_burst <= s_axi_awburst;
      m_axi_awprot <= s_axi_awprot;
    end
    if (s_axi_wvalid && s_axi_wready) begin
      transferring <= 1'b1;
      is_last <= s_axi_wlast;
      m_axi_awaddr <= aw_address;
      m_axi_awvalid <= 1'b1;
      m_axi_wdata <= s_axi_wdata;
      m_axi_wstrb <= s_axi_wstrb;
      m_axi_wvalid <= 1'b1;
      aw_address <= aw_next;
    end
    if (m_axi_awvalid && m_axi_awready) m_axi_awvalid <= 1'b0;
    if (m_axi_wvalid && m_axi_wready) m_axi_wvalid <= 1'b0;
    if (m_axi_bvalid && m_axi_bready) begin
      transferring <= 1'b0;
      if (s_axi_bresp == OKAY) s_axi_bresp <= m_axi_bresp;
      s_axi_bvalid <= is_last;
    end
    if (s_axi_bvalid && s_axi_bready) begin
      s_axi_bvalid <= 1'b0;
      writing <= 1'b0;
    end
    if (!aresetn) begin
      writing <= 1'b0;
      transferring <= 1'b0;
      m_axi_awvalid <= 1'b0;
      m_axi_wvalid <= 1'b0;
      s_axi_bvalid <= 1'b0;
    end
  end

  // ---- reads ----

  logic reading;
  logic asked;  // a beat: its data are still to come
  logic [7:0] ar_len, ar_left;
  logic [2:0] ar_size;
  logic [1:0] ar_burst;
  logic [31:0] ar_address, ar_next;
  axi_burst_address of_read (ar_address, ar_len, ar_size, ar_burst, ar_next);

  assign s_axi_arready = !reading;
  assign m_axi_rready = asked && !s_axi_rvalid;

  always_ff @(posedge aclk) begin
    if (s_axi_arvalid && s_axi_arready) begin
      reading <= 1'b1;
      s_axi_rid <= s_axi_arid;
      ar_address <= s_axi_araddr;
      ar_len <= s_axi_arlen;
      ar_left <= s_axi_arlen;
      ar_size <= s_axi_arsize;
      ar_burst <= s_axi_arburst;
      m_axi_arprot <= s_axi_arprot;
    end
    if (reading && !asked && !s_axi_rvalid) begin
      asked <= 1'b1;
      m_axi_araddr <= ar_address;
      m_axi_arvalid <= 1'b1;
      ar_address <= ar_next;
    end
    if (m_axi_arvalid && m_axi_arready) m_axi_arvalid <= 1'b0;
    if (m_axi_rvalid && m_axi_rready) begin
      asked <= 1'b0;
      s_axi_rvalid <= 1'b1;
      s_axi_rdata <= m_axi_rdata;
      s_axi_rresp <= m_axi_rresp;
      s_axi_rlast <= ar_left == 0;
    end
    if (s_axi_rvalid && s_axi_rready) begin
      s_axi_rvalid <= 1'b0;
      ar_left <= ar_left - 1;
      if (s_axi_rlast) reading <= 1'b0;
    end
    if (!aresetn) begin
      reading <= 1'b0;
      asked <= 1'b0;
      m_axi_arvalid <= 1'b0;
      s_axi_rvalid <= 1'b0;
    end
  end

`ifdef VERILATOR
  // One transfer at a time, and a response only to a burst.
  always_ff @(posedge aclk)
    if (aresetn) begin
      if (m_axi_awvalid || m_axi_wvalid) assert (transferring);
      if (m_axi_arvalid) assert (asked);
      if (s_axi_bvalid) assert (writing && !transferring);
      if (s_axi_rvalid) assert (reading && !asked);
    end
`endif
endmodule
