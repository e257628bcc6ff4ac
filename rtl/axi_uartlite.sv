// SPDX-License-Identifier: Apache-2.0
// AXI UART Lite, as Xilinx's PG142 has its registers: two FIFOs of 16 characters, 1 start bit, 8 data
// bits, 1 stop bit, and an interrupt of one cycle when the receive FIFO is no longer empty or the
// transmit FIFO becomes empty.  What PG142 fixes when the block is made (C_BAUDRATE) is an input,
// so that one compiled model serves every board.
// Not here: parity, other lengths of characters.
module axi_uartlite (
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

    output logic irq,
    input  logic rx,
    output logic tx,

    input  logic [23:0] cycles_per_bit,  // constant; clock / baud rate, at least 4
    output logic        rx_full,         // a sender may wait for it to be low (no pin of PG142's)
    output logic        tx_busy,         // characters are still to come (no pin of PG142's)

    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [15:0] debug_address,  // what a read would return, without its side effects
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [31:0] debug_data
);
  // PG142, register space
  localparam logic [13:0] RX_FIFO = 14'h0 >> 2, TX_FIFO = 14'h4 >> 2, STAT_REG = 14'h8 >> 2,
                          CTRL_REG = 14'hc >> 2;
  localparam logic [3:0] LAST_BIT = 4'd9;  // start, 8 data, stop

  logic write, read, write_error, read_error;
  logic [13:0] write_word, read_word;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] write_data;  // no register has all bits
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0] read_data;
  logic [3:0] write_strobes;

  axi_lite_registers #(16) registers (.*);

  // ---- what software sees ----

  logic [7:0] rx_fifo[16], tx_fifo[16];
  logic [3:0] rx_first, tx_first;
  logic [4:0] rx_count, tx_count;
  logic overrun, frame_error, interrupt_enabled;

  wire rx_valid = rx_count != 0;
  wire tx_empty = tx_count == 0;
  wire tx_full = tx_count == 5'd16;
  assign rx_full = rx_count == 5'd16;
  wire [31:0] status = {
    25'b0, frame_error, overrun, interrupt_enabled, tx_full, tx_empty, rx_full, rx_valid
  };

  function automatic [31:0] value(input [13:0] register, input [7:0] front, input [31:0] stat);
    case (register)
      RX_FIFO: value = {24'b0, front};
      STAT_REG: value = stat;
      default: value = 32'b0;  // Tx_FIFO and CTRL_REG read as zero
    endcase
  endfunction
  wire [7:0] rx_front = rx_valid ? rx_fifo[rx_first] : 8'b0;
  assign read_data  = value(read_word, rx_front, status);
  assign debug_data = value(debug_address[15:2], rx_front, status);

  // A read of the empty Rx_FIFO and a write to the full Tx_FIFO are errors; nothing lies above 0xf.
  wire narrow_or_whole = write_strobes == 4'b0001 || write_strobes == 4'b0011 || write_strobes == 4'b1111;
  wire write_fifo = write && write_word == TX_FIFO && !write_error;
  wire write_control = write && write_word == CTRL_REG && !write_error;
  assign write_error = write_word > CTRL_REG || !narrow_or_whole ||
                       (write_word == TX_FIFO && tx_full && !tx_free);
  assign read_error = read_word > CTRL_REG || (read_word == RX_FIFO && !rx_valid);

  // ---- the line ----

  logic [9:0] tx_shift;  // goes out from bit 0
  logic [3:0] tx_bit;
  logic [23:0] tx_left;  // cycles of the bit that is going out
  logic tx_shifting;
  wire tx_ends = tx_shifting && tx_left == 1 && tx_bit == LAST_BIT;
  wire tx_free = !tx_shifting || tx_ends;
  wire tx_starts = tx_free && (!tx_empty || write_fifo);
  wire tx_takes_fifo = tx_starts && !tx_empty;
  wire tx_stores = write_fifo && !(tx_free && tx_empty);
  assign tx = tx_shifting ? tx_shift[0] : 1'b1;
  assign tx_busy = tx_shifting || !tx_empty;

  logic [1:0] rx_synchronised;
  logic [7:0] rx_shift;
  logic [3:0] rx_bit;
  logic [23:0] rx_left;
  logic rx_shifting;
  wire rx_line = rx_synchronised[1];
  wire rx_samples = rx_shifting && rx_left == 1;
  wire rx_ends = rx_samples && rx_bit == LAST_BIT;
  wire rx_clears = write_control && write_data[1];
  wire rx_stores = rx_ends && !rx_full && !rx_clears;
  wire rx_reads = read && read_word == RX_FIFO && !read_error;

  always_ff @(posedge aclk) begin
    irq <= interrupt_enabled && ((rx_stores && !rx_valid) || (tx_starts && tx_count <= 1));

    // sending
    if (tx_shifting) begin
      tx_left <= tx_left - 1;
      if (tx_left == 1) begin
        tx_left  <= cycles_per_bit;
        tx_bit   <= tx_bit + 1;
        tx_shift <= {1'b1, tx_shift[9:1]};
        if (tx_bit == LAST_BIT) tx_shifting <= 1'b0;
      end
    end
    if (tx_starts) begin
      tx_shift <= {1'b1, tx_empty ? write_data[7:0] : tx_fifo[tx_first], 1'b0};
      tx_bit <= 0;
      tx_left <= cycles_per_bit;
      tx_shifting <= 1'b1;
    end
    if (tx_stores) tx_fifo[tx_first+tx_count[3:0]] <= write_data[7:0];
    if (tx_takes_fifo) tx_first <= tx_first + 1;
    tx_count <= tx_count + {4'b0, tx_stores} - {4'b0, tx_takes_fifo};

    // receiving
    rx_synchronised <= {rx_synchronised[0], rx};
    if (!rx_shifting) begin
      if (!rx_line) begin  // half a bit into the start bit
        rx_shifting <= 1'b1;
        rx_bit <= 0;
        rx_left <= {1'b0, cycles_per_bit[23:1]};
      end
    end else begin
      rx_left <= rx_left - 1;
      if (rx_samples) begin
        rx_left <= cycles_per_bit;
        rx_bit  <= rx_bit + 1;
        if (rx_bit == 0) begin
          if (rx_line) rx_shifting <= 1'b0;  // no start bit, a disturbance
        end else if (rx_bit != LAST_BIT) rx_shift <= {rx_line, rx_shift[7:1]};
        else rx_shifting <= 1'b0;
      end
    end
    if (rx_stores) rx_fifo[rx_first+rx_count[3:0]] <= rx_shift;
    if (rx_reads) rx_first <= rx_first + 1;
    rx_count <= rx_count + {4'b0, rx_stores} - {4'b0, rx_reads};

    // the error bits clear when they are read
    if (read && read_word == STAT_REG && !read_error) begin
      overrun <= 1'b0;
      frame_error <= 1'b0;
    end
    if (rx_ends && rx_full) overrun <= 1'b1;
    if (rx_ends && !rx_line) frame_error <= 1'b1;

    if (write_control) begin
      interrupt_enabled <= write_data[4];
      if (write_data[0]) tx_count <= 0;
      if (write_data[1]) rx_count <= 0;
    end

    if (!aresetn) begin
      irq <= 1'b0;
      interrupt_enabled <= 1'b0;
      overrun <= 1'b0;
      frame_error <= 1'b0;
      tx_shifting <= 1'b0;
      tx_first <= 0;
      tx_count <= 0;
      rx_synchronised <= 2'b11;
      rx_shifting <= 1'b0;
      rx_first <= 0;
      rx_count <= 0;
    end
  end

`ifdef VERILATOR
  logic enabled_before;
  always_ff @(posedge aclk) begin
    enabled_before <= interrupt_enabled;
    if (aresetn) begin
      assert (rx_count <= 16 && tx_count <= 16);
      assert (!(rx_reads && !rx_valid));
      if (!tx_shifting) assert (tx);
      if (irq) assert (enabled_before);
    end
  end
`endif
endmodule
