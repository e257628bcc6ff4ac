// SPDX-License-Identifier: Apache-2.0
// FlexGrip: an AXI4-Lite port to its control window, one streaming multiprocessor, an interrupt, and
// ports of block RAM for code and global memory (native ones, whose other side the host reaches; they
// answer in the next cycle).  What the model's configuration keys choose are inputs, so that one
// compiled block serves every board; synthesis finds them constant.
// Not here: more than one SM, special functions, global memory on the bus.
// trace_* and debug_* are for who watches in a simulation; a design leaves them open.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
#(
    parameter int SMS = 1,
    parameter int SPS = 8,
    // Room for so much; the configuration may use less
    parameter int WARPS = 32,
    parameter int BLOCKS = 8,
    parameter int REGISTERS = 16384,
    parameter int SHARED_BYTES = 16384,
    parameter int STACK_DEPTH = 32,
    parameter int CODE_BYTES = 262144,
    // A device without has none of their logic
    parameter bit FLOATING_POINT = 1'b1
) (
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
    output logic busy,  // a kernel runs
    input  logic stop,  // ends it (ABORTED); low in a design that has no use for it

    // The configuration (configuration_t), constant
    input logic        multiplier,
    input logic        three_operands,
    input logic        floating_point,
    input logic        flush_denormals,
    input logic        taken_first,
    input logic        full_warps,
    input logic        global_wraps,
    input logic        null_page,
    input logic [31:0] clock_hz,
    input logic [31:0] warps_per_sm,
    input logic [31:0] threads_per_sm,
    input logic [31:0] blocks_per_sm,
    input logic [31:0] threads_per_block,
    input logic [31:0] registers_per_sm,
    input logic [31:0] shared_bytes_per_sm,
    input logic [31:0] stack_depth,
    input logic [31:0] code_bytes,
    input logic [31:0] constant_bytes,
    input logic [31:0] global_bytes,
    input logic [31:0] local_bytes,

    // Block RAM: byte addresses, words
    output logic        code_enable,
    output logic [31:0] code_address,
    input  logic [31:0] code_data,
    // Constant memory has two ports: kernels read at the first, and the host writes there between
    // kernels; it reads at the second
    output logic        constant_enable,
    output logic [31:0] constant_address,
    output logic [ 3:0] constant_strobes,
    output logic [31:0] constant_write_data,
    input  logic [31:0] constant_read_data,
    output logic        constant_host_read,
    output logic [31:0] constant_host_address,
    input  logic [31:0] constant_host_data,
    output logic        global_read,
    output logic [31:0] global_read_address,
    input  logic [31:0] global_read_data,
    output logic        global_write,
    output logic [31:0] global_write_address,
    output logic [ 3:0] global_write_strobes,
    output logic [31:0] global_write_data,
    // Local memory: local_bytes for each thread of a full SM.  local_clear: what lies there is of no
    // value any more; a memory that becomes zero then makes runs repeatable
    output logic        local_clear,
    output logic        local_read,
    output logic [31:0] local_read_address,
    input  logic [31:0] local_read_data,
    output logic        local_write,
    output logic [31:0] local_write_address,
    output logic [ 3:0] local_write_strobes,
    output logic [31:0] local_write_data,

    // Rows in the pipeline: issued with the last edge; leaving fetch, decode, read, execute, write
    // with the next one
    output logic        trace_issued,
    output logic [ 4:0] trace_left,
    output logic [31:0] trace_pc,
    output logic [ 4:0] trace_warp,
    output logic [ 1:0] trace_row,
    output logic [31:0] trace_blocks,  // of the kernel, that have ended

    // Registers of the control window, without a clock and without side effects
    input  logic [15:0]  debug_address,
    output logic [31:0]  debug_data,
    output logic [383:0] debug_counters  // in the order of their registers
);
  localparam int SHARED_WORD_BITS = $clog2(SHARED_BYTES / 4);

  if (SMS != 1) $error("flexgrip: SMS must be 1, more are not implemented");
  if (SPS != 8 && SPS != 16 && SPS != 32) $error("flexgrip: SPS must be 8, 16 or 32");
  if (WARPS < 17 || WARPS > 32) $error("flexgrip: WARPS must be 17 to 32");
  if (BLOCKS < 2 || BLOCKS > 32) $error("flexgrip: BLOCKS must be 2 to 32");
  if (STACK_DEPTH > 62) $error("flexgrip: STACK_DEPTH must be at most 62");
  wire configuration_t configuration = '{multiplier, three_operands, floating_point, flush_denormals, taken_first, full_warps,
      global_wraps, null_page, clock_hz, warps_per_sm, threads_per_sm, blocks_per_sm,
      threads_per_block, registers_per_sm, shared_bytes_per_sm, stack_depth, code_bytes,
      constant_bytes, global_bytes, local_bytes};

  // ---- Control window ----
  logic write, read, write_error, read_error;
  logic [13:0] write_word, read_word;
  logic [31:0] write_data, read_data;
  logic [3:0] write_strobes;
  axi_lite_registers #(16) registers (.*);

  kernel_t kernel;
  logic [4:0] parameter_index;
  logic [31:0] parameter_value, host_constant;
  logic [15:0][15:0] bank_base, bank_bytes;
  logic banks_are_wrong, write_constant, starts, resets, running, done, refused;
  cause_t admission_cause, cause;
  logic [5:0][63:0] counters;
  wire [3:0] features = {1'b0, FLOATING_POINT && floating_point, three_operands, multiplier};
  wire [13:0][31:0] capabilities = {
    clock_hz, local_bytes, global_bytes, constant_bytes, code_bytes, {28'b0, features}, stack_depth,
    shared_bytes_per_sm, registers_per_sm, threads_per_block, blocks_per_sm, warps_per_sm, 32'(SPS),
    32'(SMS)};
  fault_t fault;
  logic [4:0] fault_block;
  logic [31:0] fault_block_index;
  assign cause = refused ? admission_cause : failed ? fault.cause : stops ? CAUSE_ABORTED : CAUSE_NONE;
  flexgrip_control control (
      .clock(aclk), .constant_bytes, .reset(!aresetn), .write, .write_word, .write_data, .write_strobes,
      .write_error, .read, .read_word, .read_data, .read_error, .constant_data(host_constant),
      .kernel, .parameter_index, .parameter_value, .bank_base, .bank_bytes, .banks_are_wrong,
      .write_constant, .starts, .resets, .interrupt(irq), .running, .done, .refused, .cause,
      .fault(stops ? '0 : fault),
      .fault_warp(stops ? 32'd0 : {8'd0, 3'b0, fault.warp, 3'b0, fault_block, 3'b0, fault.lane}),
      .fault_block(stops ? 32'd0 : fault_block_index), .counters, .capabilities, .debug_word(debug_address[15:2]),
      .debug_data);
  assign busy = running;
  assign debug_counters = counters;

  // ---- Constant memory ----
  logic read_constant;
  logic [31:0] sm_address;
  logic [1:0] constant_byte;
  wire [7:0] constant_data = constant_read_data[constant_byte*8+:8];
  always_ff @(posedge aclk) constant_byte <= sm_address[1:0];
  assign constant_enable = read_constant || write_constant;
  assign constant_address = running ? sm_address & ~32'd3 : {16'b0, constant_offset(write_word), 2'b0};
  assign constant_strobes = write_constant ? write_strobes : 4'b0000;
  assign constant_write_data = write_data;
  assign constant_host_read = s_axi_arvalid && s_axi_arready;
  assign constant_host_address = {16'b0, constant_offset(s_axi_araddr[15:2]), 2'b0};
  assign host_constant = constant_host_data;
  function automatic logic [13:0] constant_offset(input logic [13:0] word);
    constant_offset = word - CONSTANT_MEMORY[15:2];
  endfunction

  // ---- Blocks ----
  logic admitted;
  logic [7:0] blocks;
  logic [5:0] warps_per_block, warps;
  logic [10:0] threads;
  logic [31:0] shared_bytes, total;
  flexgrip_admission admission (
      .clock(aclk), .start(starts), .configuration, .kernel, .banks_are_wrong, .done(admitted),
      .cause(admission_cause), .blocks, .warps_per_block, .threads, .shared_bytes, .total);

  wire stops = stop && running && !failed;
  logic clear, set_warp, set_thread_row, set_shared, start_sm, ended, failed;
  logic [4:0] set_slot, set_block, set_first_slot;
  logic [31:0] set_mask, set_shared_data;
  logic [1:0] thread_row;
  logic [SPS-1:0] thread_lanes;
  logic [SPS-1:0][31:0] thread_indices;
  logic [SHARED_WORD_BITS-1:0] set_shared_word;
  logic [63:0] cycle, executing, reached;
  flexgrip_block_scheduler #(SPS, BLOCKS, SHARED_WORD_BITS) block_scheduler (
      .clock(aclk), .reset(!aresetn || resets), .stop(stops), .start(starts), .full_warps, .kernel, .parameter_index,
      .parameter_value, .admitted, .cause(admission_cause), .blocks_per_sm(blocks),
      .warps_per_block, .threads, .shared_bytes, .total, .clear, .set_warp, .set_slot, .set_block,
      .set_first_slot, .set_mask, .set_thread_row, .thread_row, .thread_lanes, .thread_indices,
      .set_shared, .set_shared_word, .set_shared_data, .start_sm, .warps, .sm_ended(ended),
      .sm_failed(failed), .sm_reached(reached), .fault_block, .running, .done, .refused, .cycle,
      .executing, .fault_block_index, .blocks_ended(trace_blocks));

  // ---- The SM ----
  logic retires, retired_divergent, sm_read_global, sm_write_global;
  logic [5:0] retired_threads, retired_depth;
  logic [$clog2(CODE_BYTES)-1:2] code_word;
  logic [31:0] sm_write_address;
  logic [7:0] global_data, sm_write_data;
  trace_t trace;
  flexgrip_sm #(0, SPS, WARPS, BLOCKS, REGISTERS, SHARED_BYTES, STACK_DEPTH, CODE_BYTES,
                FLOATING_POINT) sm (
      .clock(aclk), .reset(!aresetn || resets || starts || stops), .runs(running), .cycle, .configuration,
      .registers(kernel.registers_per_thread[7:0]), .shared_bytes, .bank_base, .bank_bytes,
      .clear, .set_warp, .set_slot, .set_block, .set_first_slot, .warps_per_block, .set_mask,
      .set_thread_row, .thread_row, .thread_lanes, .thread_indices, .set_shared, .set_shared_word,
      .set_shared_data, .start(start_sm), .warps, .ended, .code_enable, .code_word, .code_data,
      .read_constant, .read_global(sm_read_global), .read_address(sm_address), .constant_data,
      .global_data, .read_local(local_read), .local_data, .write_local(local_write), .write_global(sm_write_global), .write_address(sm_write_address),
      .write_data(sm_write_data), .failed, .fault, .fault_block, .reached, .retires,
      .retired_threads, .retired_divergent, .retired_depth, .trace);
  assign code_address = 32'({code_word, 2'b0});
  assign {trace_issued, trace_left, trace_pc, trace_warp, trace_row} = trace;

  // ---- Global memory: bytes of words; addresses wrap at its end where that is chosen ----
  wire [31:0] mask = global_wraps ? global_bytes - 32'd1 : ~32'd0;
  logic [1:0] global_byte;
  always_ff @(posedge aclk) global_byte <= sm_address[1:0];
  assign global_read = sm_read_global;
  assign global_read_address = sm_address & mask & ~32'd3;
  assign global_data = global_read_data[global_byte*8+:8];
  assign global_write = sm_write_global;
  assign global_write_address = sm_write_address & mask & ~32'd3;
  assign global_write_strobes = 4'b0001 << sm_write_address[1:0];
  assign global_write_data = {4{sm_write_data}};

  // ---- Local memory ----
  wire [7:0] local_data = local_read_data[global_byte*8+:8];
  assign local_clear = clear;
  assign local_read_address = sm_address & ~32'd3;
  assign local_write_address = sm_write_address & ~32'd3;
  assign local_write_strobes = 4'b0001 << sm_write_address[1:0];
  assign local_write_data = {4{sm_write_data}};

  // ---- Counters of the last or running kernel ----
  localparam int ROWS = 32 / SPS;
  logic [63:0] last_cycles, last_executing, warp_instructions, thread_instructions, divergent;
  logic [5:0] deepest;
  wire [63:0] rows = warp_instructions * ROWS;
  wire [63:0] executing_now = running ? executing : last_executing;
  assign counters = {64'(deepest), divergent, executing_now > rows ? executing_now - rows : 64'd0,
                     thread_instructions, warp_instructions, running ? cycle : last_cycles};
  always_ff @(posedge aclk) begin
    if (retires) begin
      warp_instructions <= warp_instructions + 64'd1;
      thread_instructions <= thread_instructions + 64'(retired_threads);
      divergent <= divergent + 64'(retired_divergent);
      if (retired_depth > deepest) deepest <= retired_depth;
    end
    if (done) begin
      last_cycles <= failed ? reached : cycle;
      last_executing <= executing;
    end
    if (resets && running) begin
      last_cycles <= cycle;
      last_executing <= executing;
    end
    if (starts || !aresetn) begin
      last_cycles <= 64'd0;
      last_executing <= 64'd0;
      warp_instructions <= 64'd0;
      thread_instructions <= 64'd0;
      divergent <= 64'd0;
      deepest <= 6'd0;
    end
  end
endmodule
