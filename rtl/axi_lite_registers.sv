// SPDX-License-Identifier: Apache-2.0
// The AXI4-Lite side of a peripheral with 32-bit registers (IHI 0022 B1): takes an address and its
// data in either order, one write and one read at a time, and shows the peripheral each access for
// one cycle, in which it answers combinationally.  All outputs of the port come from registers
// (A3.1.1): an access is shown in the cycle after its handshake, and answered in the one after that.
// Not here: AxPROT, which is ignored.
module axi_lite_registers #(
    parameter ADDRESS_BITS = 16
) (
    input logic aclk,
    input logic aresetn,

    // Registers are whole words: their bytes are the strobes' business.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [ADDRESS_BITS-1:0] s_axi_awaddr,
    input  logic [ADDRESS_BITS-1:0] s_axi_araddr,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic                    s_axi_awvalid,
    output logic                    s_axi_awready,
    input  logic [            31:0] s_axi_wdata,
    input  logic [             3:0] s_axi_wstrb,
    input  logic                    s_axi_wvalid,
    output logic                    s_axi_wready,
    output logic [             1:0] s_axi_bresp,
    output logic                    s_axi_bvalid,
    input  logic                    s_axi_bready,
    input  logic                    s_axi_arvalid,
    output logic                    s_axi_arready,
    output logic [            31:0] s_axi_rdata,
    output logic [             1:0] s_axi_rresp,
    output logic                    s_axi_rvalid,
    input  logic                    s_axi_rready,

    output logic                    write,          // for one cycle
    output logic [ADDRESS_BITS-3:0] write_word,     // the address, in registers
    output logic [            31:0] write_data,
    output logic [             3:0] write_strobes,
    input  logic                    write_error,    // answered with SLVERR
    output logic                    read,           // for one cycle
    output logic [ADDRESS_BITS-3:0] read_word,
    input  logic [            31:0] read_data,
    input  logic                    read_error
);
  localparam logic [1:0] OKAY = 2'b00, SLVERR = 2'b10;

  logic has_write_address, has_write_data, has_read_address;

  assign s_axi_awready = !has_write_address;
  assign s_axi_wready = !has_write_data;
  assign s_axi_arready = !has_read_address;
  assign write = has_write_address && has_write_data && !s_axi_bvalid;
  assign read = has_read_address && !s_axi_rvalid;

  always_ff @(posedge aclk) begin
    if (s_axi_awvalid && s_axi_awready) begin
      has_write_address <= 1'b1;
      write_word <= s_axi_awaddr[ADDRESS_BITS-1:2];
    end
    if (s_axi_wvalid && s_axi_wready) begin
      has_write_data <= 1'b1;
      write_data <= s_axi_wdata;
      write_strobes <= s_axi_wstrb;
    end
    if (s_axi_bvalid && s_axi_bready) s_axi_bvalid <= 1'b0;
    if (write) begin
      has_write_address <= 1'b0;
      has_write_data <= 1'b0;
      s_axi_bvalid <= 1'b1;
      s_axi_bresp <= write_error ? SLVERR : OKAY;
    end
    if (s_axi_arvalid && s_axi_arready) begin
      has_read_address <= 1'b1;
      read_word <= s_axi_araddr[ADDRESS_BITS-1:2];
    end
    if (s_axi_rvalid && s_axi_rready) s_axi_rvalid <= 1'b0;
    if (read) begin
      has_read_address <= 1'b0;
      s_axi_rvalid <= 1'b1;
      s_axi_rdata <= read_error ? 32'b0 : read_data;
      s_axi_rresp <= read_error ? SLVERR : OKAY;
    end
    if (!aresetn) begin
      has_write_address <= 1'b0;
      has_write_data <= 1'b0;
      has_read_address <= 1'b0;
      s_axi_bvalid <= 1'b0;
      s_axi_rvalid <= 1'b0;
    end
  end

`ifdef VERILATOR
  logic b_waited, r_waited;
  logic [1:0] b_before;
  logic [33:0] r_before;
  always_ff @(posedge aclk) begin
    b_waited <= aresetn && s_axi_bvalid && !s_axi_bready;
    r_waited <= aresetn && s_axi_rvalid && !s_axi_rready;
    if (s_axi_bvalid) b_before <= s_axi_bresp;
    if (s_axi_rvalid) r_before <= {s_axi_rdata, s_axi_rresp};
    if (aresetn) begin
      // A response waits for its handshake and does not change until then (A3.2.1).
      if (b_waited) assert (s_axi_bvalid && s_axi_bresp == b_before);
      if (r_waited) assert (s_axi_rvalid && {s_axi_rdata, s_axi_rresp} == r_before);
      // Nothing is done while an answer has not been taken.
      assert (!(write && s_axi_bvalid));
      assert (!(read && s_axi_rvalid));
    end
  end
`endif
endmodule
