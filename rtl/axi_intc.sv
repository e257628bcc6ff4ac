// SPDX-License-Identifier: Apache-2.0
// AXI interrupt controller, as Xilinx's PG099 has its registers, without fast mode: up to 32 inputs,
// each by level or edge, one output that is high while an enabled interrupt is pending.  What PG099
// fixes when the block is made (C_NUM_INTR_INPUTS, C_KIND_OF_INTR, C_KIND_OF_EDGE, C_KIND_OF_LVL) are
// inputs, so that one compiled model serves every board.
// Not here: fast interrupts (IMR, IVAR), ILR, software interrupts, cascades: their addresses answer
// SLVERR.  Inputs are not synchronised: they belong to this clock.
module axi_intc (
    input logic aclk,
    input logic aresetn,

    input  logic [15:0] s_axi_awaddr,
    input  logic        s_axi_awvalid,
    output logic        s_axi_awready,
    input  logic [31:0] s_axi_wdata,
    input  logic [ 3:0] s_axi_wstrb,
    input  logic        s_axi_wvalid,
    output logic        s_axi_wready,
    output logic [ 1:0] s_axi_bresp,
    output logic        s_axi_bvalid,
    input  logic        s_axi_bready,
    input  logic [15:0] s_axi_araddr,
    input  logic        s_axi_arvalid,
    output logic        s_axi_arready,
    output logic [31:0] s_axi_rdata,
    output logic [ 1:0] s_axi_rresp,
    output logic        s_axi_rvalid,
    input  logic        s_axi_rready,

    input  logic [31:0] intr,
    output logic        irq,

    // constant
    input logic [31:0] inputs,             // those that are there
    input logic [31:0] kind_of_interrupt,  // a bit set: by edge, clear: by level
    input logic [31:0] kind_of_edge,       // set: rising
    input logic [31:0] kind_of_level,      // set: active high

    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [15:0] debug_address,  // what a read would return, without its side effects
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [31:0] debug_data
);
  // PG099, register space
  localparam logic [13:0] ISR = 14'h00 >> 2, IPR = 14'h04 >> 2, IER = 14'h08 >> 2, IAR = 14'h0c >> 2,
                          SIE = 14'h10 >> 2, CIE = 14'h14 >> 2, IVR = 14'h18 >> 2, MER = 14'h1c >> 2;
  localparam int MASTER_ENABLE = 0, HARDWARE_ENABLE = 1;

  logic write, read, write_error, read_error;
  logic [13:0] write_word, read_word;
  logic [31:0] write_data, read_data;
  logic [3:0] write_strobes;

  axi_lite_registers #(16) registers (.*);

  logic [31:0] isr, isr_next, ier, ier_next, intr_before;
  logic [1:0] mer, mer_next;
  wire [31:0] pending = isr & ier;

  assign write_error = write_word > MER || write_strobes != 4'b1111;
  assign read_error  = read_word > MER;

  function automatic [31:0] lowest(input [31:0] waiting);
    lowest = 32'hffff_ffff;
    for (int i = 31; i >= 0; i--) if (waiting[i]) lowest = i;
  endfunction
  function automatic [31:0] value(input [13:0] register, input [31:0] status, input [31:0] enabled,
                                  input [1:0] master);
    case (register)
      ISR: value = status;
      IPR: value = status & enabled;
      IER: value = enabled;
      IVR: value = lowest(status & enabled);
      MER: value = {30'b0, master};
      default: value = 32'b0;  // IAR, SIE and CIE read as zero
    endcase
  endfunction
  assign read_data  = value(read_word, isr, ier, mer);
  assign debug_data = value(debug_address[15:2], isr, ier, mer);

  wire [31:0] by_level = ~(intr ^ kind_of_level) & ~kind_of_interrupt & inputs;
  wire [31:0] by_edge = (intr ^ intr_before) & ~(intr ^ kind_of_edge) & kind_of_interrupt & inputs;

  // What the inputs bring, then what software does.
  always_comb begin
    isr_next = mer[HARDWARE_ENABLE] ? isr | by_level | by_edge : isr;
    ier_next = ier;
    mer_next = mer;
    if (write && !write_error)
      case (write_word)
        // takes writes, to raise interrupts by software, until the inputs are enabled
        ISR: if (!mer[HARDWARE_ENABLE]) isr_next = write_data & inputs;
        IER: ier_next = write_data & inputs;
        // an input that is still active comes back at once
        IAR: isr_next = (isr_next & ~write_data) | (mer[HARDWARE_ENABLE] ? by_level : 32'b0);
        SIE: ier_next = ier | (write_data & inputs);
        CIE: ier_next = ier & ~write_data;
        MER: begin
          mer_next = {write_data[HARDWARE_ENABLE] | mer[HARDWARE_ENABLE], write_data[MASTER_ENABLE]};
          if (mer_next[HARDWARE_ENABLE]) isr_next = isr_next | by_level;
        end
        default: ;  // IPR and IVR ignore writes
      endcase
  end

  always_ff @(posedge aclk) begin
    isr <= isr_next;
    ier <= ier_next;
    mer <= mer_next;
    intr_before <= intr;
    if (!aresetn) begin
      isr <= 0;
      ier <= 0;
      mer <= 0;
    end
  end
  assign irq = mer[MASTER_ENABLE] && pending != 0;

`ifdef VERILATOR
  wire unused_read = read;  // no register changes when it is read
  logic enabled_before, untouched;
  logic [$bits(isr)-1:0] isr_before;
  always_ff @(posedge aclk) begin
    enabled_before <= aresetn && mer[HARDWARE_ENABLE];
    untouched <= aresetn && !write;
    isr_before <= isr;
    if (aresetn) begin
      assert (((isr | ier) & ~inputs) == 0);
      if (enabled_before) assert (mer[HARDWARE_ENABLE]);
      // Only software takes an interrupt back.
      if (untouched) assert ((isr_before & ~isr) == 0);
    end
  end
`endif
endmodule
