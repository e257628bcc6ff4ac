// SPDX-License-Identifier: Apache-2.0
// AXI UART 16550, as Xilinx's PG143 and National's PC16550D have its registers: from 0x1000 on, one
// every 4 bytes; FIFOs of 16 characters, divisor latch, interrupts by priority with the character
// timeout, loopback, modem signals, parity, framing errors and breaks in both directions.  A bit
// lasts 16 * divisor cycles of aclk; a divisor of 0 counts as 1.  A format holds for the characters
// that begin after it was written.
// Not here: the external crystal, the DMA signals (FCR bit 3 is stored only), freeze.
module axi_uart16550 (
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
    input  logic sin,
    output logic sout,
    input  logic ctsn,
    input  logic dsrn,
    input  logic rin,
    input  logic dcdn,
    output logic rtsn,
    output logic dtrn,
    output logic out1n,
    output logic out2n,

    // no pins of PG143's; a design leaves them open
    output logic        rx_full,       // a sender may wait for it to be low
    output logic        tx_busy,       // characters are still to come
    output logic [15:0] line_divisor,
    output logic [ 5:0] line_format,   // LCR bits 5..0

    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [15:0] debug_address,  // what a read would return, without its side effects
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [31:0] debug_data
);
  // PG143, register space; DLL, DLM and the readable FCR appear while LCR bit 7 is set
  localparam logic [13:0] FIRST = 14'(16'h1000 >> 2);
  localparam logic [2:0] RBR_THR_DLL = 3'd0, IER_DLM = 3'd1, IIR_FCR = 3'd2, LCR = 3'd3, MCR = 3'd4,
                         LSR = 3'd5, MSR = 3'd6, SCR = 3'd7;
  localparam int RECEIVED = 0, TRANSMIT = 1, LINE = 2, MODEM = 3;              // IER
  localparam int DTR = 0, RTS = 1, OUT1 = 2, OUT2 = 3, LOOP = 4;               // MCR
  localparam int PARITY = 3, EVEN = 4, STICK = 5, SEND_BREAK = 6, DIVISOR = 7; // LCR
  localparam logic [3:0] IS_LINE = 4'h6, IS_RECEIVED = 4'h4, IS_TIMEOUT = 4'hc, IS_TRANSMIT = 4'h2,
                         IS_MODEM = 4'h0, IS_NONE = 4'h1;                      // IIR
  localparam logic [7:0] FCR_STORED = 8'hc9;

  logic write, read, write_error, read_error;
  logic [13:0] write_word, read_word;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] write_data;  // registers have 8 bits
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0] read_data;
  logic [3:0] write_strobes;

  axi_lite_registers #(16) registers (.*);

  wire narrow_or_whole = write_strobes == 4'b0001 || write_strobes == 4'b0011 || write_strobes == 4'b1111;
  assign write_error = write_word[13:3] != FIRST[13:3] || !narrow_or_whole;
  assign read_error  = read_word[13:3] != FIRST[13:3];

  // ---- what software sees ----

  logic [3:0] ier;
  logic [7:0] fcr, lcr, scr, dll, dlm;
  logic [4:0] mcr;
  logic [4:1] errors;  // LSR: break, framing, parity, overrun
  logic [3:0] modem, modem_changed;  // MSR: DCD, RI, DSR, CTS
  logic transmit_pending;  // the holding register ran empty, not yet acknowledged

  logic [7:0] rx_fifo[16], tx_fifo[16];
  logic [2:0] rx_error_fifo[16];  // of each character: break, framing, parity
  logic [3:0] rx_first, tx_first;
  logic [4:0] rx_count, tx_count, rx_erroneous;

  wire fifos = fcr[0];
  wire [4:0] depth = fifos ? 5'd16 : 5'd1;
  wire rx_valid = rx_count != 0;
  wire tx_empty = tx_count == 0;
  wire [7:0] rx_front = rx_fifo[rx_first];

  logic [4:0] trigger;
  always_comb
    case ({fifos, fcr[7:6]})
      3'b101:  trigger = 5'd4;
      3'b110:  trigger = 5'd8;
      3'b111:  trigger = 5'd14;
      default: trigger = 5'd1;
    endcase

  logic tx_shifting;
  wire [7:0] line_status = {
    fifos && rx_erroneous != 0, tx_empty && !tx_shifting, tx_empty, errors, rx_valid
  };
  logic timed_out;
  logic [3:0] interrupt;
  always_comb
    if (ier[LINE] && errors != 0) interrupt = IS_LINE;
    else if (ier[RECEIVED] && rx_count >= trigger) interrupt = IS_RECEIVED;
    else if (ier[RECEIVED] && timed_out) interrupt = IS_TIMEOUT;
    else if (ier[TRANSMIT] && transmit_pending) interrupt = IS_TRANSMIT;
    else if (ier[MODEM] && modem_changed != 0) interrupt = IS_MODEM;
    else interrupt = IS_NONE;
  assign irq = interrupt != IS_NONE;

  wire latch = lcr[DIVISOR];
  wire [7:0][7:0] values = {
    scr,
    {modem, modem_changed},
    line_status,
    {3'b0, mcr},
    lcr,
    latch ? fcr : {fifos, fifos, 2'b0, interrupt},
    latch ? dlm : {4'b0, ier},
    latch ? dll : rx_valid ? rx_front : 8'b0
  };
  assign read_data  = {24'b0, values[read_word[2:0]]};
  assign debug_data = debug_address[15:5] == FIRST[13:3] ? {24'b0, values[debug_address[4:2]]} : 32'b0;

  wire writes = write && !write_error;
  wire reads = read && !read_error;
  wire [2:0] written = write_word[2:0];
  wire [7:0] value = write_data[7:0];
  wire write_thr = writes && written == RBR_THR_DLL && !latch;
  wire write_ier = writes && written == IER_DLM && !latch;
  wire write_fcr = writes && written == IIR_FCR;
  wire read_rbr = reads && read_word[2:0] == RBR_THR_DLL && !latch;
  wire read_iir = reads && read_word[2:0] == IIR_FCR && !latch;
  // changing modes clears both FIFOs
  wire rx_clears = write_fcr && (value[0] != fifos || (value[0] && value[1]));
  wire tx_clears = write_fcr && (value[0] != fifos || (value[0] && value[2]));

  // ---- the format of characters ----

  wire [15:0] divisor = {dlm, dll} == 0 ? 16'd1 : {dlm, dll};
  wire [19:0] bit_cycles = {divisor, 4'b0};
  wire [3:0] data_bits = 4'd5 + {2'b0, lcr[1:0]};
  // the second stop bit is half a bit for characters of 5 bits
  wire [4:0] stop_halves = !lcr[2] ? 5'd2 : lcr[1:0] == 0 ? 5'd3 : 5'd4;
  wire [4:0] halves = {data_bits, 1'b0} + (lcr[PARITY] ? 5'd4 : 5'd2) + stop_halves;  // of a character
  wire [23:0] character_cycles = 24'(halves) * {5'b0, divisor, 3'b0};
  assign line_divisor = divisor;
  assign line_format  = lcr[5:0];

  function automatic logic [7:0] masked(input [7:0] data, input [3:0] bits);
    masked = data & ~(8'hff << bits);
  endfunction
  function automatic logic parity(input [7:0] data, input [5:0] format);
    parity = format[STICK] ? !format[EVEN] : ^data ^ !format[EVEN];
  endfunction
  // start bit, data, parity; ones are left for stop bits and the pause after them
  function automatic logic [11:0] frame(input [7:0] data, input [5:0] format, input [3:0] bits);
    logic [10:0] rest;
    rest = (11'h7ff << bits) | {3'b0, masked(data, bits)};
    if (format[PARITY] && !parity(masked(data, bits), format)) rest &= ~(11'b1 << bits);
    frame = {rest, 1'b0};
  endfunction

  // ---- sending ----

  logic [11:0] tx_shift;  // goes out from bit 0
  logic [19:0] tx_bit_cycles, tx_bit_left;
  logic [23:0] tx_left;  // cycles of the character
  wire tx_ends = tx_shifting && tx_left == 1;
  wire tx_free = !tx_shifting || tx_ends;
  wire tx_takes_fifo = tx_free && !tx_empty;
  wire tx_writes = write_thr && (tx_count != depth || tx_free);  // else the character is lost
  wire tx_passes = tx_writes && tx_free && tx_empty;  // straight to the shift register
  wire tx_stores = tx_writes && !tx_passes;
  wire tx_runs_empty = tx_takes_fifo && tx_count == 1;
  wire tx_line = (!tx_shifting || tx_shift[0]) && !lcr[SEND_BREAK];
  assign sout = mcr[LOOP] || tx_line;
  assign tx_busy = tx_shifting || !tx_empty;

  // ---- receiving ----

  logic [1:0] rx_synchronised;
  logic [5:0] rx_format;
  logic [7:0] rx_shift;
  logic [3:0] rx_bit;
  logic [19:0] rx_bit_cycles, rx_left;
  logic rx_shifting, rx_waits_for_pause, rx_parity_bit, rx_loops;
  wire rx_line = mcr[LOOP] ? tx_line : rx_synchronised[1];
  wire [3:0] rx_data_bits = 4'd5 + {2'b0, rx_format[1:0]};
  wire [3:0] rx_stop_bit = rx_data_bits + (rx_format[PARITY] ? 4'd2 : 4'd1);
  wire rx_samples = rx_shifting && rx_left == 1;
  wire rx_ends = rx_samples && rx_bit == rx_stop_bit && !rx_clears;
  wire [2:0] rx_new_errors = {
    !rx_line && rx_shift == 0 && !(rx_format[PARITY] && rx_parity_bit),
    !rx_line,
    rx_format[PARITY] && rx_parity_bit != parity(rx_shift, rx_format)
  };
  wire rx_reads = read_rbr && rx_valid;
  wire rx_no_room = rx_count == depth && !rx_reads;
  wire rx_stores = rx_ends && !rx_no_room;
  // without FIFO a new character takes the place of the old one
  wire rx_replaces = rx_ends && rx_no_room && !fifos;
  assign rx_full = rx_count == depth || mcr[LOOP];

  // Errors show when their character comes to the front.
  logic [2:0] rx_errors_at_front;
  wire [2:0] rx_second_errors = rx_error_fifo[rx_first+1'b1];
  always_comb begin
    rx_errors_at_front = 3'b0;
    if (rx_reads && rx_count > 1) rx_errors_at_front = rx_second_errors;
    else if ((rx_stores && (!rx_valid || rx_reads)) || rx_replaces) rx_errors_at_front = rx_new_errors;
  end

  // PC16550D: four characters' time without one coming or being read
  logic [25:0] rx_idle;
  assign timed_out = fifos && rx_valid && rx_idle >= {character_cycles, 2'b0};

  // ---- modem signals ----

  logic [3:0] modem_once, modem_twice;
  wire [3:0] modem_now = mcr[LOOP] ? {mcr[OUT2], mcr[OUT1], mcr[DTR], mcr[RTS]} : modem_twice;
  assign {out2n, out1n, rtsn, dtrn} = mcr[LOOP] ? 4'b1111 : ~mcr[3:0];

  always_ff @(posedge aclk) begin
    // sending
    if (tx_shifting) begin
      tx_left <= tx_left - 1;
      tx_bit_left <= tx_bit_left - 1;
      if (tx_bit_left == 1) begin
        tx_bit_left <= tx_bit_cycles;
        tx_shift <= {1'b1, tx_shift[11:1]};
      end
      if (tx_ends) tx_shifting <= 1'b0;
    end
    if (tx_takes_fifo || tx_passes) begin
      tx_shift <= frame(tx_empty ? value : tx_fifo[tx_first], lcr[5:0], data_bits);
      tx_bit_cycles <= bit_cycles;
      tx_bit_left <= bit_cycles;
      tx_left <= character_cycles;
      tx_shifting <= 1'b1;
    end
    if (tx_stores) tx_fifo[tx_first+tx_count[3:0]] <= value;
    if (tx_takes_fifo) tx_first <= tx_first + 1'b1;
    tx_count <= tx_clears ? 5'd0 : tx_count + {4'b0, tx_stores} - {4'b0, tx_takes_fifo};

    // receiving
    rx_synchronised <= {rx_synchronised[0], sin};
    rx_loops <= mcr[LOOP];
    if (rx_loops != mcr[LOOP]) rx_shifting <= 1'b0;
    else if (!rx_shifting) begin
      if (rx_line) rx_waits_for_pause <= 1'b0;
      else if (!rx_waits_for_pause) begin  // half a bit into the start bit
        rx_shifting <= 1'b1;
        rx_bit <= 0;
        rx_shift <= 0;
        rx_format <= lcr[5:0];
        rx_bit_cycles <= bit_cycles;
        rx_left <= {1'b0, bit_cycles[19:1]};
      end
    end else begin
      rx_left <= rx_left - 1;
      if (rx_samples) begin
        rx_left <= rx_bit_cycles;
        rx_bit  <= rx_bit + 1'b1;
        if (rx_bit == 0) begin
          if (rx_line) rx_shifting <= 1'b0;  // no start bit, a disturbance
        end else if (rx_bit <= rx_data_bits) rx_shift[3'(rx_bit-4'd1)] <= rx_line;
        else if (rx_bit != rx_stop_bit) rx_parity_bit <= rx_line;
        else begin
          rx_shifting <= 1'b0;
          rx_waits_for_pause <= !rx_line;
        end
      end
    end
    if (rx_stores || rx_replaces) begin
      rx_fifo[rx_replaces?rx_first : rx_first+rx_count[3:0]] <= rx_shift;
      rx_error_fifo[rx_replaces?rx_first : rx_first+rx_count[3:0]] <= rx_new_errors;
    end
    if (rx_reads) rx_first <= rx_first + 1'b1;
    rx_count <= rx_count + {4'b0, rx_stores} - {4'b0, rx_reads};
    rx_erroneous <= rx_erroneous + {4'b0, (rx_stores || rx_replaces) && rx_new_errors != 0} -
                    {4'b0, (rx_reads || rx_replaces) && rx_error_fifo[rx_first] != 0};
    if (rx_clears) begin
      rx_count <= 0;
      rx_erroneous <= 0;
    end
    if (rx_ends || rx_reads) rx_idle <= 1;
    else if (fifos && rx_valid && !timed_out) rx_idle <= rx_idle + 1;

    // status
    if (reads && read_word[2:0] == LSR) errors <= 0;
    if (rx_ends && rx_no_room) errors[1] <= 1'b1;
    for (int i = 0; i < 3; i++) if (rx_errors_at_front[i]) errors[i+2] <= 1'b1;
    modem_once  <= ~{dcdn, rin, dsrn, ctsn};
    modem_twice <= modem_once;
    modem <= modem_now;
    if (reads && read_word[2:0] == MSR) modem_changed <= 0;
    for (int i = 0; i < 4; i++)  // of the ring indicator only the end
      if (modem[i] != modem_now[i] && !(i == 2 && modem_now[i])) modem_changed[i] <= 1'b1;
    if (read_iir && interrupt == IS_TRANSMIT) transmit_pending <= 1'b0;
    if (tx_runs_empty) transmit_pending <= 1'b1;
    if (write_ier && value[TRANSMIT] && !ier[TRANSMIT] && (tx_empty || tx_runs_empty))
      transmit_pending <= 1'b1;
    if (tx_writes) transmit_pending <= tx_passes;

    if (writes)
      case (written)
        RBR_THR_DLL: if (latch) dll <= value;
        IER_DLM: if (latch) dlm <= value; else ier <= value[3:0];
        IIR_FCR: fcr <= value[0] ? value & FCR_STORED : 8'b0;
        LCR: lcr <= value;
        MCR: mcr <= value[4:0];
        LSR: errors <= value[4:1];  // for factory tests
        MSR: modem_changed <= value[3:0];
        SCR: scr <= value;
      endcase

    if (!aresetn) begin
      ier <= 0;
      fcr <= 0;
      lcr <= 0;
      mcr <= 0;
      scr <= 0;
      dll <= 0;
      dlm <= 0;
      errors <= 0;
      modem_changed <= 0;
      transmit_pending <= 1'b0;
      tx_shifting <= 1'b0;
      tx_first <= 0;
      tx_count <= 0;
      rx_synchronised <= 2'b11;
      rx_loops <= 1'b0;
      rx_shifting <= 1'b0;
      rx_waits_for_pause <= 1'b0;
      rx_first <= 0;
      rx_count <= 0;
      rx_erroneous <= 0;
    end
  end

`ifdef VERILATOR
  always_ff @(posedge aclk)
    if (aresetn) begin
      assert (rx_count <= depth && tx_count <= depth);
      assert (rx_erroneous <= rx_count);
      if (!tx_shifting && !lcr[SEND_BREAK]) assert (sout);
      if (irq) assert (ier != 0);
      if (mcr[LOOP]) assert (sout && dtrn && rtsn);
    end
`endif
endmodule
