// SPDX-License-Identifier: Apache-2.0
// AXI timer, as Xilinx's PG079 has its registers: two counters of 32 bits, generate, capture and
// pulse width modes, cascaded to one of 64 bits.  Counting down, a rollover is the step from 0 to all
// ones, counting up the one from all ones to 0; with auto-reload the counter shows the rolled-over
// value for a cycle and then the load value.
// Not here: the generate outputs, freeze, fast interrupts.
module axi_timer (
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

    output logic       irq,
    input  logic [1:0] capturetrig,
    output logic       pwm0,

    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [15:0] debug_address,  // what a read would return, without its side effects
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [31:0] debug_data
);
  // PG079, TCSR
  localparam int CAPTURE = 0, DOWN = 1, GENERATE = 2, CAPTURE_TRIGGER = 3, RELOAD = 4, LOAD = 5,
                 INTERRUPT_ENABLE = 6, ENABLE = 7, INTERRUPT = 8, PWM = 9, ENABLE_ALL = 10,
                 CASCADE = 11;
  localparam logic [11:0] MASK0 = 12'hfff, MASK1 = 12'h7ff;  // CASC exists in TCSR0 only

  logic write, read, write_error, read_error;
  logic [13:0] write_word, read_word;
  logic [31:0] write_data, read_data;
  logic [3:0] write_strobes;

  axi_lite_registers #(16) registers (.*);

  logic [1:0][11:0] control, control_next;  // bit 8 is in pending
  logic [1:0][31:0] load, load_next;
  logic [1:0][31:0] counter, counter_next;
  logic [1:0] pending, pending_next;
  logic [1:0] rolled, rolled_next;    // shows the rolled-over value; the next cycle reloads
  logic [1:0] stopped, stopped_next;  // rolled over without reload
  logic [1:0] held, held_next;        // captured and not yet read
  logic [1:0] trigger_before;

  assign write_error = write_word[13:3] != 0 || write_word[1:0] == 2'b11 || write_strobes != 4'b1111;
  assign read_error  = read_word[13:3] != 0 || read_word[1:0] == 2'b11;

  function automatic [31:0] value(input [1:0] register, input [10:0] tcsr, input is_pending,
                                  input [31:0] tlr, input [31:0] tcr);
    case (register)
      2'd0: value = {20'b0, tcsr[10:8], is_pending, tcsr[7:0]};
      2'd1: value = tlr;
      2'd2: value = tcr;
      default: value = 32'b0;
    endcase
  endfunction
  wire i_read = read_word[2];
  wire i_debug = debug_address[4];
  wire i_write = write_word[2];
  assign read_data = value(read_word[1:0], {control[i_read][11:9], control[i_read][7:0]}, pending[i_read], load[i_read], counter[i_read]);
  assign debug_data = value(
      debug_address[3:2], {control[i_debug][11:9], control[i_debug][7:0]}, pending[i_debug], load[i_debug], counter[i_debug]
  );

  wire cascaded = control[0][CASCADE];
  wire pwm_mode = control[0][PWM] && control[0][GENERATE] && !control[0][CAPTURE] &&
                  control[1][PWM] && control[1][GENERATE] && !control[1][CAPTURE];
  wire [1:0] runs = {
    control[1][ENABLE] && !control[1][LOAD], control[0][ENABLE] && !control[0][LOAD]
  };
  wire [1:0] captures = capturetrig & ~trigger_before;
  wire write_control = write && !write_error && write_word[1:0] == 2'd0;
  wire write_load = write && !write_error && write_word[1:0] == 2'd1;
  wire read_load = read && !read_error && read_word[1:0] == 2'd1;

  // One channel's counter, or both as one (64 bits): what a cycle makes of it.
  typedef struct packed {
    logic [63:0] counter;
    logic rolled;
    logic stopped;
    logic rollover;
  } step_t;
  function automatic step_t step(input [63:0] count, input [63:0] all_ones, input [63:0] reload_value,
                                 input was_rolled, input down, input capture, input reload);
    step.counter  = (down ? count - 1 : count + 1) & all_ones;
    step.rolled   = 1'b0;
    step.stopped  = 1'b0;
    step.rollover = 1'b0;
    if (!capture) begin
      if (was_rolled) step.counter = reload_value;
      else if (count == (down ? 64'b0 : all_ones)) begin
        step.rollover = 1'b1;
        step.rolled   = reload;
        step.stopped  = !reload;
      end
    end
  endfunction

  // A cycle of counting, then captures, then what software does.
  step_t stepped[2];
  logic cascaded_next;
  always_comb begin
    control_next = control;
    load_next = load;
    counter_next = counter;
    pending_next = pending;
    rolled_next = rolled;
    stopped_next = stopped;
    held_next = held;

    stepped[0] = cascaded ?
        step({counter[1], counter[0]}, ~64'b0, {load[1], load[0]}, rolled[0], control[0][DOWN],
             control[0][CAPTURE], control[0][RELOAD]) :
        step({32'b0, counter[0]}, 64'hffff_ffff, {32'b0, load[0]}, rolled[0], control[0][DOWN],
             control[0][CAPTURE], control[0][RELOAD]);
    // the second half of a pulse width pair runs once a period
    stepped[1] = step({32'b0, counter[1]}, 64'hffff_ffff, {32'b0, load[1]}, rolled[1], control[1][DOWN],
                      control[1][CAPTURE], control[1][RELOAD] && !pwm_mode);
    if (runs[0] && !stopped[0]) begin
      counter_next[0] = stepped[0].counter[31:0];
      if (cascaded) counter_next[1] = stepped[0].counter[63:32];
      rolled_next[0] = stepped[0].rolled;
      stopped_next[0] = stepped[0].stopped;
      if (stepped[0].rollover) pending_next[0] = 1'b1;
    end
    if (runs[1] && !stopped[1] && !cascaded) begin
      counter_next[1] = stepped[1].counter[31:0];
      rolled_next[1]  = stepped[1].rolled;
      stopped_next[1] = stepped[1].stopped;
      if (stepped[1].rollover) pending_next[1] = 1'b1;
    end
    if (pwm_mode && runs[0] && !stopped[0] && stepped[0].rollover) begin
      rolled_next[1]  = 1'b1;
      stopped_next[1] = 1'b0;
    end

    for (int i = 0; i < 2; i++)
      if (captures[i] && control[i][CAPTURE] && control[i][CAPTURE_TRIGGER] && runs[i] &&
          !(i == 1 && cascaded)) begin
        pending_next[i] = 1'b1;
        // without auto-reload a captured value stays until it is read
        if (!held[i] || control[i][RELOAD]) begin
          held_next[i] = 1'b1;
          load_next[i] = counter[i];
          if (cascaded) load_next[1] = counter[1];
        end
      end
    if (read_load) held_next[i_read] = 1'b0;

    if (write_control) begin
      control_next[i_write] = write_data[11:0] & (i_write ? MASK1 : MASK0);
      control_next[i_write][INTERRUPT] = 1'b0;
      if (write_data[INTERRUPT]) pending_next[i_write] = 1'b0;
      // ENALL shows in both; setting it enables both, clearing it stops neither
      for (int i = 0; i < 2; i++) begin
        control_next[i][ENABLE_ALL] = write_data[ENABLE_ALL];
        if (write_data[ENABLE_ALL]) control_next[i][ENABLE] = 1'b1;
      end
    end
    cascaded_next = control_next[0][CASCADE];
    if (cascaded != cascaded_next) begin
      rolled_next  = 2'b00;
      stopped_next = 2'b00;
    end
    if (write_load) load_next[i_write] = write_data;
    // LOAD holds a counter at its load register
    if (cascaded_next) begin
      if (((write_control && !i_write) || write_load) && control_next[0][LOAD]) begin
        counter_next = load_next;
        rolled_next[0] = 1'b0;
        stopped_next[0] = 1'b0;
      end
    end else if ((write_control || write_load) && control_next[i_write][LOAD]) begin
      counter_next[i_write] = load_next[i_write];
      rolled_next[i_write]  = 1'b0;
      stopped_next[i_write] = 1'b0;
    end
  end

  always_ff @(posedge aclk) begin
    control <= control_next;
    load <= load_next;
    counter <= counter_next;
    pending <= pending_next;
    rolled <= rolled_next;
    stopped <= stopped_next;
    held <= held_next;
    trigger_before <= capturetrig;
    if (!aresetn) begin
      control[0] <= 0;
      control[1] <= 0;
      load[0] <= 0;
      load[1] <= 0;
      counter[0] <= 0;
      counter[1] <= 0;
      pending <= 0;
      rolled <= 0;
      stopped <= 0;
      held <= 0;
    end
  end

  assign irq = (control[0][INTERRUPT_ENABLE] && pending[0]) ||
                     (control[1][INTERRUPT_ENABLE] && pending[1] && !cascaded);
  assign pwm0 = pwm_mode && !stopped[1];

`ifdef VERILATOR
  logic left_alone, was_pending;
  logic [31:0] counter_before, load_before;
  always_ff @(posedge aclk) begin
    left_alone <= aresetn && !cascaded && !write_control && !write_load;
    was_pending <= aresetn && pending[0] && !write_control;
    counter_before <= counter[0];
    load_before <= load[0];
    if (aresetn) begin
      assert (!(rolled[0] && stopped[0]));
      // A counter moves by one, is loaded, or stands.
      if (left_alone)
        assert (counter[0] == counter_before || counter[0] == counter_before + 1 ||
                counter[0] == counter_before - 1 || counter[0] == load_before);
      // Only software takes an interrupt back.
      if (was_pending) assert (pending[0]);
    end
  end
`endif
endmodule
