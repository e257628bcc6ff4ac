// SPDX-License-Identifier: Apache-2.0
// FlexGrip: an AXI4-Lite port to its control window, streaming multiprocessors, an interrupt, and for
// each of them ports of block RAM for code, constant, local and global memory (native ones, whose other
// side the host reaches; they answer in the next cycle).  What the model's configuration keys choose are inputs, so that one
// compiled block serves every board; synthesis finds them constant.
// With global_on_bus, global memory is behind the AXI4 master instead.
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
    parameter bit FLOATING_POINT = 1'b1,
    parameter bit MULTIPLIER = 1'b1,
    parameter bit THREE_OPERANDS = 1'b1
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
    input logic        global_on_bus,
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
    // Of timing_t
    input logic [ 7:0] timing_lane_access,
    input logic [ 7:0] timing_lane_byte,
    input logic [ 7:0] timing_lane_store,
    input logic [ 7:0] timing_lane_store_byte,
    input logic [ 7:0] timing_read_direct,
    input logic [ 7:0] timing_read_direct_byte,
    input logic [ 7:0] timing_read_register,
    input logic [ 7:0] timing_read_zero_register,
    input logic [ 7:0] timing_read_predicate_row,
    input logic [ 7:0] timing_read_gather,
    input logic [ 7:0] timing_read_global,
    input logic [ 7:0] timing_write_half_register,
    input logic [ 7:0] timing_write_address,
    input logic [ 7:0] timing_write_condition,
    input logic [ 7:0] timing_write_shared_address,
    input logic [ 7:0] timing_write_global,
    input logic [ 7:0] timing_fetch_long,
    input logic [ 7:0] timing_fetch_short,
    input logic [ 7:0] timing_execute_integer,
    input logic [ 7:0] timing_execute_multiply,
    input logic [ 7:0] timing_execute_multiply_add,
    input logic [ 7:0] timing_configure_batch,
    input logic [ 7:0] timing_configure_block,
    input logic [ 7:0] timing_configure_thread,
    input logic [ 7:0] timing_configure_warp,

    // Global memory on the bus
    output logic [31:0] m_axi_awaddr,
    output logic [ 7:0] m_axi_awlen,
    output logic [ 2:0] m_axi_awsize,
    output logic [ 1:0] m_axi_awburst,
    output logic [ 2:0] m_axi_awprot,
    output logic        m_axi_awvalid,
    input  logic        m_axi_awready,
    output logic [31:0] m_axi_wdata,
    output logic [ 3:0] m_axi_wstrb,
    output logic        m_axi_wlast,
    output logic        m_axi_wvalid,
    input  logic        m_axi_wready,
    input  logic [ 1:0] m_axi_bresp,
    input  logic        m_axi_bvalid,
    output logic        m_axi_bready,
    output logic [31:0] m_axi_araddr,
    output logic [ 7:0] m_axi_arlen,
    output logic [ 2:0] m_axi_arsize,
    output logic [ 1:0] m_axi_arburst,
    output logic [ 2:0] m_axi_arprot,
    output logic        m_axi_arvalid,
    input  logic        m_axi_arready,
    input  logic [31:0] m_axi_rdata,
    input  logic [ 1:0] m_axi_rresp,
    input  logic        m_axi_rlast,
    input  logic        m_axi_rvalid,
    output logic        m_axi_rready,

    // Block RAM: byte addresses, words; a port for each SM
    output logic [SMS-1:0]       code_enable,
    output logic [SMS-1:0][31:0] code_address,
    input  logic [SMS-1:0][31:0] code_data,
    // Constant memory, or the copy that each SM has, has two ports: kernels read at the first, and the
    // host writes there between kernels, all copies; it reads at the second, of any
    output logic [SMS-1:0]       constant_enable,
    output logic [SMS-1:0][31:0] constant_address,
    output logic [SMS-1:0][ 3:0] constant_strobes,
    output logic [SMS-1:0][31:0] constant_write_data,
    input  logic [SMS-1:0][31:0] constant_read_data,
    output logic        constant_host_read,
    output logic [31:0] constant_host_address,
    input  logic [31:0] constant_host_data,
    output logic [SMS-1:0]       global_read,
    output logic [SMS-1:0][31:0] global_read_address,
    input  logic [SMS-1:0][31:0] global_read_data,
    output logic [SMS-1:0]       global_write,
    output logic [SMS-1:0][31:0] global_write_address,
    output logic [SMS-1:0][ 3:0] global_write_strobes,
    output logic [SMS-1:0][31:0] global_write_data,
    // Local memory: local_bytes for each thread of a full SM.  local_clear: what lies there is of no
    // value any more; a memory that becomes zero then makes runs repeatable
    output logic [SMS-1:0]       local_clear,
    output logic [SMS-1:0]       local_read,
    output logic [SMS-1:0][31:0] local_read_address,
    input  logic [SMS-1:0][31:0] local_read_data,
    output logic [SMS-1:0]       local_write,
    output logic [SMS-1:0][31:0] local_write_address,
    output logic [SMS-1:0][ 3:0] local_write_strobes,
    output logic [SMS-1:0][31:0] local_write_data,

    // Rows in the pipeline: issued with the last edge; leaving fetch, decode, read, execute, write
    // with the next one
    output logic [SMS-1:0]       trace_issued,
    output logic [SMS-1:0][ 4:0] trace_left,
    output logic [SMS-1:0][31:0] trace_pc,
    output logic [SMS-1:0][ 4:0] trace_warp,
    output logic [SMS-1:0][ 1:0] trace_row,
    output logic [SMS-1:0][31:0] trace_blocks,  // of the kernel, that have ended there
    // The instruction in the write stage (written_t), and what is written with the next edge: a byte of
    // a memory (store_t), registers ((warp * registers + register) * rows + row), $a and flags
    output logic [SMS-1:0][71:0] trace_written,
    output logic [SMS-1:0][41:0] trace_store,
    output logic [SMS-1:0][ 1:0] trace_register_write,
    output logic [SMS-1:0][31:0] trace_register_row,
    output logic [SMS-1:0][ 1:0] trace_register_halves,
    output logic [SMS-1:0][SPS-1:0] trace_register_lanes,
    output logic [SMS-1:0][SPS-1:0][31:0] trace_register_data,
    output logic [SMS-1:0][ 1:0] trace_address_write,
    output logic [SMS-1:0][ 1:0] trace_address_register,
    output logic [SMS-1:0][SPS-1:0] trace_address_lanes,
    output logic [SMS-1:0][SPS-1:0][15:0] trace_address_data,
    output logic [SMS-1:0]       trace_flags_write,
    output logic [SMS-1:0][ 1:0] trace_flags_register,
    output logic [SMS-1:0][31:0] trace_flags_lanes,
    output logic [SMS-1:0][3:0][31:0] trace_flags_data,

    // Registers of the control window, without a clock and without side effects
    input  logic [15:0]  debug_address,
    output logic [31:0]  debug_data,
    output logic [383:0] debug_counters  // in the order of their registers
);
  localparam int SHARED_WORD_BITS = $clog2(SHARED_BYTES / 4);
  localparam int SM_BITS = SMS > 1 ? $clog2(SMS) : 1;

  if (SPS != 8 && SPS != 16 && SPS != 32) $error("flexgrip: SPS must be 8, 16 or 32");
  if (WARPS < 17 || WARPS > 32) $error("flexgrip: WARPS must be 17 to 32");
  if (BLOCKS < 2 || BLOCKS > 32) $error("flexgrip: BLOCKS must be 2 to 32");
  if (STACK_DEPTH > 62) $error("flexgrip: STACK_DEPTH must be at most 62");
  wire timing_t timing = {
      timing_lane_access, timing_lane_byte, timing_lane_store, timing_lane_store_byte,
      timing_read_direct, timing_read_direct_byte, timing_read_register,
      timing_read_zero_register, timing_read_predicate_row, timing_read_gather,
      timing_read_global, timing_write_half_register, timing_write_address,
      timing_write_condition, timing_write_shared_address, timing_write_global,
      timing_fetch_long, timing_fetch_short, timing_execute_integer, timing_execute_multiply,
      timing_execute_multiply_add, timing_configure_batch, timing_configure_block,
      timing_configure_thread, timing_configure_warp};
  wire configuration_t configuration = '{multiplier, three_operands, floating_point, flush_denormals, taken_first, full_warps,
      global_wraps, global_on_bus, null_page, clock_hz, warps_per_sm, threads_per_sm, blocks_per_sm,
      threads_per_block, registers_per_sm, shared_bytes_per_sm, stack_depth, code_bytes,
      constant_bytes, global_bytes, local_bytes, timing};

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
  wire [3:0] features = {global_on_bus, FLOATING_POINT && floating_point, THREE_OPERANDS && three_operands,
                         MULTIPLIER && multiplier};
  wire [13:0][31:0] capabilities = {
    clock_hz, local_bytes, global_on_bus ? 32'd0 : global_bytes, constant_bytes, code_bytes, {28'b0, features}, stack_depth,
    shared_bytes_per_sm, registers_per_sm, threads_per_block, blocks_per_sm, warps_per_sm, 32'(SPS),
    32'(SMS)};
  fault_t [SMS-1:0] faults;
  logic [SMS-1:0] sm_failed;
  logic [SMS-1:0][4:0] fault_blocks;
  logic [SMS-1:0][63:0] reached;
  // Of several SMs that fail in one cycle, the first
  logic [SM_BITS-1:0] failed_sm;
  always_comb begin
    failed_sm = '0;
    for (int sm = SMS - 1; sm >= 0; sm--) if (sm_failed[sm]) failed_sm = SM_BITS'(sm);
  end
  wire failed = sm_failed != '0;
  wire fault_t fault = faults[failed_sm];
  wire [4:0] fault_block = fault_blocks[failed_sm];
  logic [31:0] fault_block_index;
  assign cause = refused ? admission_cause : failed ? fault.cause : stops ? CAUSE_ABORTED : CAUSE_NONE;
  flexgrip_control control (
      .clock(aclk), .constant_bytes, .reset(!aresetn), .write, .write_word, .write_data, .write_strobes,
      .write_error, .read, .read_word, .read_data, .read_error, .constant_data(host_constant),
      .kernel, .parameter_index, .parameter_value, .bank_base, .bank_bytes, .banks_are_wrong,
      .write_constant, .starts, .resets, .interrupt(irq), .running, .done, .refused, .cause,
      .fault(stops ? '0 : fault),
      .fault_warp(stops ? 32'd0 : {8'(failed_sm), 3'b0, fault.warp, 3'b0, fault_block, 3'b0, fault.lane}),
      .fault_block(stops ? 32'd0 : fault_block_index), .counters, .capabilities, .debug_word(debug_address[15:2]),
      .debug_data);
  assign busy = running;
  assign debug_counters = counters;

  // ---- Constant memory, the host's side ----
  logic [SMS-1:0] read_constant;
  logic [SMS-1:0][31:0] sm_address;
  assign constant_host_read = s_axi_arvalid && s_axi_arready;
  assign constant_host_address = {16'b0, constant_offset(s_axi_araddr[15:2]), 2'b0};
  assign host_constant = constant_host_data;
  function automatic logic [13:0] constant_offset(input logic [13:0] word);
    constant_offset = word - CONSTANT_MEMORY[15:2];
  endfunction

  // ---- Blocks ----
  logic admitted;
  logic [7:0] blocks;
  logic [5:0] warps_per_block;
  logic [SMS-1:0][5:0] warps;
  logic [10:0] threads;
  logic [31:0] shared_bytes, total;
  flexgrip_admission admission (
      .clock(aclk), .start(starts), .configuration, .kernel, .banks_are_wrong, .done(admitted),
      .cause(admission_cause), .blocks, .warps_per_block, .threads, .shared_bytes, .total);

  wire stops = stop && running && !failed;
  logic set_warp, set_thread_row, set_shared;
  logic [SM_BITS-1:0] set_sm;
  logic [SMS-1:0] clear, start_sm, ended;
  logic [4:0] set_slot, set_block, set_first_slot;
  logic [31:0] set_mask, set_shared_data;
  logic [1:0] thread_row;
  logic [SPS-1:0] thread_lanes;
  logic [SPS-1:0][31:0] thread_indices;
  logic [SHARED_WORD_BITS-1:0] set_shared_word;
  logic [63:0] cycle, executing;
  flexgrip_block_scheduler #(SMS, SPS, BLOCKS, SHARED_WORD_BITS) block_scheduler (
      .clock(aclk), .reset(!aresetn || resets), .stop(stops), .start(starts), .timing, .full_warps, .kernel, .parameter_index,
      .parameter_value, .admitted, .cause(admission_cause), .blocks_at_a_time(blocks),
      .warps_per_block, .threads, .shared_bytes, .total, .clear, .set_sm, .set_warp, .set_slot, .set_block,
      .set_first_slot, .set_mask, .set_thread_row, .thread_row, .thread_lanes, .thread_indices,
      .set_shared, .set_shared_word, .set_shared_data, .start_sm, .warps, .sm_ended(ended),
      .sm_failed(failed), .failed_sm, .sm_reached(reached[failed_sm]), .fault_block, .running, .done, .refused, .cycle,
      .executing, .fault_block_index, .blocks_ended(trace_blocks));

  // ---- The SMs ----
  logic [SMS-1:0] retires, retired_divergent;
  logic [SMS-1:0][5:0] retired_threads, retired_depth;
  logic [SMS-1:0][31:0] sm_write_address;
  logic [SMS-1:0][7:0] sm_write_data;
  // ---- Global memory on the bus ----
  logic [SMS-1:0] bus_request, bus_write, bus_answered;
  logic [SMS-1:0][31:0] bus_address;
  logic [SMS-1:0][4:0] bus_bytes;
  logic [SMS-1:0][3:0][31:0] bus_data;
  logic bus_error;
  logic [3:0][31:0] bus_answer;
  flexgrip_axi_master #(SMS) master (
      .clock(aclk), .reset(!aresetn), .request(bus_request), .write(bus_write), .address(bus_address),
      .bytes(bus_bytes), .data(bus_data), .answered(bus_answered), .error(bus_error), .answer(bus_answer),
      .awaddr(m_axi_awaddr), .awlen(m_axi_awlen), .awsize(m_axi_awsize), .awvalid(m_axi_awvalid),
      .awready(m_axi_awready), .wdata(m_axi_wdata), .wstrb(m_axi_wstrb), .wlast(m_axi_wlast),
      .wvalid(m_axi_wvalid), .wready(m_axi_wready), .berror(m_axi_bresp[1]), .bvalid(m_axi_bvalid),
      .bready(m_axi_bready), .araddr(m_axi_araddr), .arlen(m_axi_arlen), .arsize(m_axi_arsize),
      .arvalid(m_axi_arvalid), .arready(m_axi_arready), .rdata(m_axi_rdata), .rerror(m_axi_rresp[1]),
      .rlast(m_axi_rlast), .rvalid(m_axi_rvalid), .rready(m_axi_rready));
  assign {m_axi_awburst, m_axi_arburst} = {2'b01, 2'b01};  // INCR
  assign {m_axi_awprot, m_axi_arprot} = '0;

  // Global addresses wrap at the memory's end where that is chosen
  wire [31:0] mask = global_wraps ? global_bytes - 32'd1 : ~32'd0;
  for (genvar n = 0; n < SMS; n++) begin : sms
    logic [$clog2(CODE_BYTES)-1:2] code_word;
    logic [1:0] read_byte;
    trace_t trace;
    wire here = set_sm == SM_BITS'(n);
    flexgrip_sm #(SPS, WARPS, BLOCKS, REGISTERS, SHARED_BYTES, STACK_DEPTH, CODE_BYTES, FLOATING_POINT, MULTIPLIER,
                  THREE_OPERANDS) sm (
        .clock(aclk), .reset(!aresetn || resets || starts || stops || failed), .sm_number(8'(n)), .runs(running), .cycle, .configuration,
        .registers(kernel.registers_per_thread[7:0]), .shared_bytes, .bank_base, .bank_bytes,
        .clear(clear[n]), .set_warp(set_warp && here), .set_slot, .set_block, .set_first_slot, .warps_per_block, .set_mask,
        .set_thread_row(set_thread_row && here), .thread_row, .thread_lanes, .thread_indices, .set_shared(set_shared && here),
        .set_shared_word, .set_shared_data, .start(start_sm[n]), .warps(warps[n]), .ended(ended[n]),
        .code_enable(code_enable[n]), .code_word, .code_data(code_data[n]), .read_constant(read_constant[n]),
        .read_global(global_read[n]), .read_address(sm_address[n]), .constant_data(constant_read_data[n][read_byte*8+:8]),
        .global_data(global_read_data[n][read_byte*8+:8]), .read_local(local_read[n]),
        .local_data(local_read_data[n][read_byte*8+:8]), .bus_request(bus_request[n]), .bus_write(bus_write[n]),
        .bus_address(bus_address[n]), .bus_bytes(bus_bytes[n]), .bus_data(bus_data[n]), .bus_answered(bus_answered[n]),
        .bus_error, .bus_answer, .write_local(local_write[n]), .write_global(global_write[n]),
        .write_address(sm_write_address[n]), .write_data(sm_write_data[n]), .failed(sm_failed[n]), .fault(faults[n]),
        .fault_block(fault_blocks[n]), .reached(reached[n]), .retires(retires[n]),
        .retired_threads(retired_threads[n]), .retired_divergent(retired_divergent[n]),
        .retired_depth(retired_depth[n]), .trace, .trace_written(trace_written[n]), .trace_store(trace_store[n]),
        .trace_register_write(trace_register_write[n]), .trace_register_row(trace_register_row[n]),
        .trace_register_halves(trace_register_halves[n]), .trace_register_lanes(trace_register_lanes[n]),
        .trace_register_data(trace_register_data[n]), .trace_address_write(trace_address_write[n]),
        .trace_address_register(trace_address_register[n]), .trace_address_lanes(trace_address_lanes[n]),
        .trace_address_data(trace_address_data[n]), .trace_flags_write(trace_flags_write[n]),
        .trace_flags_register(trace_flags_register[n]), .trace_flags_lanes(trace_flags_lanes[n]),
        .trace_flags_data(trace_flags_data[n]));
    assign {trace_issued[n], trace_left[n], trace_pc[n], trace_warp[n], trace_row[n]} = trace;
    // Bytes of words
    always_ff @(posedge aclk) read_byte <= sm_address[n][1:0];
    assign code_address[n] = 32'({code_word, 2'b0});
    assign constant_enable[n] = read_constant[n] || write_constant;
    assign constant_address[n] = running ? sm_address[n] & ~32'd3 : {16'b0, constant_offset(write_word), 2'b0};
    assign constant_strobes[n] = write_constant ? write_strobes : 4'b0000;
    assign constant_write_data[n] = write_data;
    assign global_read_address[n] = sm_address[n] & mask & ~32'd3;
    assign global_write_address[n] = sm_write_address[n] & mask & ~32'd3;
    assign global_write_strobes[n] = 4'b0001 << sm_write_address[n][1:0];
    assign global_write_data[n] = {4{sm_write_data[n]}};
    assign local_clear[n] = clear[n];
    assign local_read_address[n] = sm_address[n] & ~32'd3;
    assign local_write_address[n] = sm_write_address[n] & ~32'd3;
    assign local_write_strobes[n] = 4'b0001 << sm_write_address[n][1:0];
    assign local_write_data[n] = {4{sm_write_data[n]}};
  end

  // ---- Counters of the last or running kernel ----
  localparam int ROWS = 32 / SPS;
  logic [63:0] last_cycles, last_executing, warp_instructions, thread_instructions, divergent;
  logic [5:0] deepest;
  wire [63:0] rows = warp_instructions * ROWS;
  wire [63:0] executing_now = running ? executing : last_executing;
  assign counters = {64'(deepest), divergent, executing_now > rows ? executing_now - rows : 64'd0,
                     thread_instructions, warp_instructions, running ? cycle : last_cycles};
  // What retires in a cycle, of all SMs
  logic [4:0] more_instructions, more_divergent;
  logic [63:0] more_threads;
  logic [5:0] depth;
  always_comb begin
    more_instructions = 5'd0;
    more_divergent = 5'd0;
    more_threads = 64'd0;
    depth = deepest;
    for (int sm = 0; sm < SMS; sm++)
      if (retires[sm]) begin
        more_instructions += 5'd1;
        more_divergent += 5'(retired_divergent[sm]);
        more_threads += 64'(retired_threads[sm]);
        if (retired_depth[sm] > depth) depth = retired_depth[sm];
      end
  end
  always_ff @(posedge aclk) begin
    warp_instructions <= warp_instructions + 64'(more_instructions);
    thread_instructions <= thread_instructions + more_threads;
    divergent <= divergent + 64'(more_divergent);
    deepest <= depth;
    if (done) begin
      last_cycles <= failed ? reached[failed_sm] : cycle;
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
