// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor: the five stages that rows of warp instructions go through, the warps'
// states, their registers and shared memory.  The block scheduler fills it with a batch of blocks;
// it runs them until all have ended, or until one of their instructions fails: those before it are
// carried through, those after it have no effect.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_sm
  import g80_pkg::*;
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
  import flexgrip_timing_pkg::*;
  import flexgrip_alu_pkg::*;
#(
    parameter int SPS = 8,
    // Room for so much; the configuration may use less
    parameter int WARPS = 32,
    parameter int BLOCKS = 8,
    parameter int REGISTERS = 16384,
    parameter int SHARED_BYTES = 16384,
    parameter int STACK_DEPTH = 32,
    parameter int CODE_BYTES = 262144,
    parameter bit FLOATING_POINT = 1'b1,
    parameter bit MULTIPLIER = 1'b1,
    parameter bit THREE_OPERANDS = 1'b1,
    localparam int SHARED_WORD_BITS = $clog2(SHARED_BYTES / 4),
    localparam int REGISTER_ROWS = REGISTERS / SPS,
    localparam int REGISTER_ROW_BITS = $clog2(REGISTER_ROWS)
) (
    input logic clock,
    input logic reset,  // between kernels
    input logic [7:0] sm_number,
    input logic runs,   // a kernel does: counts of cycles stand still otherwise
    input logic [63:0] cycle,
    input configuration_t configuration,

    // Of the kernel
    input logic [7:0]        registers,
    input logic [31:0]       shared_bytes,
    input logic [15:0][15:0] bank_base,
    input logic [15:0][15:0] bank_bytes,

    // A batch of blocks
    input  logic                        clear,
    input  logic                        set_warp,
    input  logic [4:0]                  set_slot,
    input  logic [4:0]                  set_block,
    input  logic [4:0]                  set_first_slot,
    input  logic [5:0]                  warps_per_block,
    input  logic [31:0]                 set_mask,
    input  logic                        set_thread_row,
    input  logic [1:0]                  thread_row,
    input  logic [SPS-1:0]              thread_lanes,
    input  logic [SPS-1:0][31:0]        thread_indices,
    input  logic                        set_shared,
    input  logic [SHARED_WORD_BITS-1:0] set_shared_word,
    input  logic [31:0]                 set_shared_data,
    input  logic                        start,
    input  logic [5:0]                  warps,
    output logic                        ended,

    output logic                          code_enable,
    output logic [$clog2(CODE_BYTES)-1:2] code_word,
    input  logic [31:0]                   code_data,
    output logic                          read_constant,
    output logic                          read_global,
    output logic [31:0]                   read_address,
    input  logic [7:0]                    constant_data,
    input  logic [7:0]                    global_data,
    output logic                          read_local,
    input  logic [7:0]                    local_data,
    output logic             bus_request,
    output logic             bus_write,
    output logic [31:0]      bus_address,
    output logic [4:0]       bus_bytes,
    output logic [3:0][31:0] bus_data,
    input  logic             bus_answered,
    input  logic             bus_error,
    input  logic [3:0][31:0] bus_answer,
    output logic                          write_local,
    output logic                          write_global,
    output logic [31:0]                   write_address,
    output logic [7:0]                    write_data,

    output logic        failed,
    output fault_t      fault,
    output logic [4:0]  fault_block,
    output logic [63:0] reached,    // the cycle in which the last row was issued
    output logic        retires,    // an instruction has left, in this cycle
    output logic [5:0]  retired_threads,
    output logic        retired_divergent,
    output logic [5:0]  retired_depth,

    output trace_t trace,
    output written_t trace_written,
    output store_t trace_store,
    output logic [1:0] trace_register_write,  // 1: an instruction, 2: indices of threads, before the first
    output logic [31:0] trace_register_row,
    output logic [1:0] trace_register_halves,
    output logic [SPS-1:0] trace_register_lanes,
    output logic [SPS-1:0][31:0] trace_register_data,
    output logic [1:0] trace_address_write,  // 1: sets, 3: adds
    output logic [1:0] trace_address_register,
    output logic [SPS-1:0] trace_address_lanes,
    output logic [SPS-1:0][15:0] trace_address_data,
    output logic trace_flags_write,
    output logic [1:0] trace_flags_register,
    output logic [31:0] trace_flags_lanes,
    output logic [3:0][31:0] trace_flags_data
);
  // ---- Fetch ----
  logic issue, last_row_issued, row_issued, fetch_busy, fetch_leaves, has_second, outside;
  logic [4:0] issue_slot;
  logic [31:0] issue_pc, word0, word1;
  row_info_t fetch_info;
  logic stops;  // nothing more is issued
  flexgrip_fetch #(SPS, CODE_BYTES) fetch (
      .clock, .reset(reset || stops), .cycle, .code_bytes(configuration.code_bytes), .timing_fetch_long(configuration.timing.fetch_long),
      .timing_fetch_short(configuration.timing.fetch_short), .issue, .warp(issue_slot), .pc(issue_pc),
      .busy(fetch_busy), .row_issued, .last_row_issued, .code_enable, .code_word, .code_data,
      .leaves(fetch_leaves), .next_free(!decode_busy), .word0, .word1, .has_second, .outside,
      .info(fetch_info));

  // ---- Decode ----
  logic decode_busy, decode_leaves;
  row_info_t decode_info;
  flexgrip_decode #(SPS, FLOATING_POINT, MULTIPLIER, THREE_OPERANDS) decode (
      .clock, .reset(reset || stops), .configuration, .enters(fetch_leaves), .enters_info(fetch_info),
      .enters_word0(word0), .enters_word1(word1), .enters_has_second(has_second),
      .enters_outside(outside), .busy(decode_busy), .leaves(decode_leaves), .next_free(!read_busy),
      .info(decode_info));

  // ---- Read ----
  logic read_busy, read_leaves, flow_start, flow_busy, faults, read_shared, has_break;
  flow_t flow;
  logic [4:0] flow_warp;
  logic [31:0] flow_threads, active;
  logic [5:0] depth;
  logic asks_register;
  logic [REGISTER_ROW_BITS-1:0] asked_row;
  logic [SPS-1:0][31:0] register_data, a, b, c, addresses;
  logic [3:0][SPS-1:0][31:0] wide;
  logic [1:0] read_areg, read_areg_row, read_flags;
  logic [SPS-1:0][15:0] areg_value;
  logic [3:0][31:0] flags;
  logic [7:0] shared_data;
  logic [4:0] block_of[WARPS];
  row_info_t read_info;
  logic [31:0] executed;
  decision_t decision;
  fault_t read_fault;
  wire [4:0] read_slot = read_info.warp;
  wire [31:0] shared_base = 32'(block_of[read_slot]) * shared_bytes;
  flexgrip_read #(SPS, REGISTER_ROW_BITS) read (
      .clock, .configuration, .reset(reset || stops), .enters(decode_leaves), .enters_info(decode_info),
      .busy(read_busy), .leaves(read_leaves), .next_free(execute_free), .registers, .shared_bytes,
      .shared_base, .bank_base, .bank_bytes, .active, .depth, .has_break, .flow_busy, .flow_start,
      .flow, .flow_threads, .read_register(asks_register), .register_row(asked_row),
      .register_data, .address_register(read_areg), .address_row(read_areg_row),
      .address_value(areg_value), .flags_register(read_flags), .flags, .read_shared,
      .read_constant, .read_global, .read_local, .memory_address(read_address), .shared_data, .constant_data,
      .global_data, .local_data, .bus_request, .bus_write, .bus_address, .bus_bytes, .bus_data,
      .bus_answered, .bus_error, .bus_answer, .faults, .fault(read_fault), .info(read_info), .executed, .decision, .a, .b, .c, .wide, .addresses);

  // ---- Execute, write ----
  logic execute_busy, execute_free, execute_leaves, write_busy, write_free, write_leaves;
  read_row_t execute_row, write_row;
  lane_t [SPS-1:0] results;
  logic [3:0][SPS-1:0][31:0] execute_wide;
  logic [SPS-1:0][31:0] execute_addresses;
  flexgrip_execute #(SPS, FLOATING_POINT, MULTIPLIER, THREE_OPERANDS) execute (
      .clock, .reset, .sm_number, .flush_denormals(configuration.flush_denormals), .enters(read_leaves), .enters_row('{read_info, executed, flags, decision}), .enters_a(a), .enters_b(b),
      .enters_c(c), .enters_wide(wide), .enters_addresses(addresses), .busy(execute_busy),
      .free(execute_free), .leaves(execute_leaves), .next_free(write_free), .row(execute_row),
      .results, .wide(execute_wide), .addresses(execute_addresses));

  logic writes_register, sets_address, address_adds, sets_flags, write_shared;
  logic [REGISTER_ROW_BITS-1:0] written_row;
  logic [SPS-1:0] register_lanes, address_lanes;
  logic [1:0] register_halves, written_areg;
  logic [SPS-1:0][31:0] written_data;
  logic [SPS-1:0][15:0] written_address;
  logic [31:0] flags_lanes;
  logic [3:0][31:0] flags_value;
  logic [15:0] since_write;
  logic releases;
  flexgrip_write #(SPS, REGISTER_ROW_BITS) write (
      .clock, .reset, .runs, .global_on_bus(configuration.global_on_bus), .enters(execute_leaves), .enters_row(execute_row), .enters_results(results),
      .enters_wide(execute_wide), .enters_addresses(execute_addresses), .busy(write_busy),
      .free(write_free), .leaves(write_leaves), .holds(flow_busy && flow_warp == write_row.info.warp), .released(releases),
      .since_left(since_write), .registers, .write_register(writes_register),
      .register_row(written_row), .register_lanes, .register_halves, .register_data(written_data),
      .set_address(sets_address), .address_register(written_areg), .address_lanes, .address_adds,
      .address_value(written_address), .set_flags(sets_flags), .flags_lanes, .flags_value,
      .write_shared, .write_global, .write_local, .memory_address(write_address), .memory_data(write_data),
      .row(write_row));

  // ---- Registers and shared memory ----
  wire [REGISTER_ROW_BITS-1:0] thread_index_row = REGISTER_ROW_BITS'(
      32'(set_slot) * 32'(registers) * (32 / SPS) + 32'(thread_row));
  flexgrip_register_file #(SPS, REGISTER_ROWS) register_file (
      .clock, .clear, .read(asks_register), .read_address(asked_row), .read_data(register_data),
      .write(writes_register || set_thread_row),
      .write_address(set_thread_row ? thread_index_row : written_row),
      .write_lanes(set_thread_row ? thread_lanes : register_lanes),
      .write_halves(set_thread_row ? 2'b11 : register_halves),
      .write_data(set_thread_row ? thread_indices : written_data));
  flexgrip_small_registers #(SPS, WARPS) small_registers (
      .clock, .clear, .address_warp(read_slot), .address_register(read_areg),
      .address_row(read_areg_row), .address_value(areg_value), .set_address(sets_address),
      .set_address_warp(write_row.info.warp), .set_address_register(written_areg),
      .set_address_row(write_row.info.row), .set_address_lanes(address_lanes),
      .set_address_adds(address_adds), .set_address_value(written_address),
      .flags_warp(read_slot), .flags_register(read_flags), .flags_value(flags),
      .set_flags(sets_flags), .set_flags_warp(write_row.info.warp),
      .set_flags_register(write_row.info.instruction.condition_destination),
      .set_flags_lanes(flags_lanes), .set_flags_value(flags_value));
  flexgrip_shared_memory #(SHARED_BYTES) shared_memory (
      .clock, .clear, .read(read_shared), .read_word(SHARED_WORD_BITS'(read_address >> 2)),
      .read_byte(read_address[1:0]), .read_data(shared_data), .write(write_shared || set_shared),
      .write_word(set_shared ? set_shared_word : SHARED_WORD_BITS'(write_address >> 2)),
      .write_bytes(set_shared ? 4'b1111 : 4'b0001 << write_address[1:0]),
      .write_data(set_shared ? set_shared_data : {4{write_data}}));

  // ---- Warps ----
  logic retire, retire_finished;
  logic [WARPS-1:0] in_flight, ready;
  logic all_finished, deadlock;
  logic [5:0] retire_depth;
  logic [31:0] retire_pc;
  logic [4:0] waiting_slot;
  read_row_t retire_row;
  always_ff @(posedge clock) begin
    retire <= write_leaves && write_row.info.last && !reset;
    if (write_leaves) retire_row <= write_row;
  end
  wire [31:0] length = read_info.instruction.form == SHORT ||
                       read_info.instruction.form == SHORT_CONTROL ? 32'd4 : 32'd8;
  flexgrip_warp_flow #(WARPS, STACK_DEPTH) warp_flow (
      .clock, .reset, .set(set_warp), .set_warp(set_slot), .set_mask, .fetch_warp(issue_slot),
      .fetch_pc(issue_pc), .read_warp(read_slot), .read_active(active), .read_depth(depth),
      .read_has_break(has_break), .retire_warp(retire ? retire_row.info.warp : waiting_slot),
      .retire_finished, .retire_depth, .retire_pc, .start(flow_start), .operation(flow),
      .warp(read_slot), .threads(flow_threads), .target(read_info.instruction.target),
      .next(read_info.pc + length), .busy(flow_busy), .busy_warp(flow_warp));
  wire decoded_t retired = retire_row.info.instruction;
  flexgrip_barriers #(WARPS, BLOCKS) barriers (
      .clock, .clear(clear || reset), .set(set_warp), .set_warp(set_slot), .set_block,
      .set_first_warp(set_first_slot), .warps_per_block, .issue, .issue_warp(issue_slot),
      .retire, .retire_warp(retire_row.info.warp), .retire_finished(retire && retire_finished),
      .retire_barrier(retired.cost == COST_BARRIER), .barrier(retired.barrier),
      .threads(retired.barrier_threads), .all(retired.barrier_all),
      .arrive(retired.barrier_arrive), .waits(retired.barrier_wait), .releases, .in_flight, .ready,
      .all_finished, .deadlock, .block_of);
  flexgrip_warp_scheduler #(WARPS) scheduler (
      .clock, .reset(reset || stops), .start, .warps, .ended, .in_flight, .ready,
      .all_written(all_finished && since_write >= 16'(FINISH_VISIBLE)), .fetch_busy,
      .last_row_issued, .issue, .warp(issue_slot));

  assign retires = retire;
  assign retired_threads = retire_row.decision.active_threads;
  assign retired_divergent = retire_row.decision.diverges;
  assign retired_depth = retire_depth;

  // ---- Failure: what is behind the read stage is carried through ----
  logic running, failing;
  assign stops = failing || faults;
  assign fault_block = block_of[fault.warp];
  // Of warps that wait for each other the first after the last one that was issued
  logic [4:0] last_slot;
  logic [WARPS-1:0] unfinished, behind;  // behind: after the last one
  always_comb begin
    unfinished = ~finished_slots & ~(~WARPS'(0) << warps);
    behind = unfinished & (~WARPS'(1) << last_slot);
    waiting_slot = last_slot;
    for (int slot = WARPS - 1; slot >= 0; slot--) if (unfinished[slot]) waiting_slot = 5'(slot);
    for (int slot = WARPS - 1; slot >= 0; slot--) if (behind[slot]) waiting_slot = 5'(slot);
    if (!finished_slots[last_slot]) waiting_slot = last_slot;
  end
  logic [WARPS-1:0] finished_slots;
  always_ff @(posedge clock) begin
    failed <= failing && !execute_busy && !write_busy && !retire && !failed;
    if (retire && retire_finished) finished_slots[retire_row.info.warp] <= 1'b1;
    if (clear) finished_slots <= '0;
    if (start) running <= 1'b1;
    if (ended) running <= 1'b0;
    if (start) reached <= cycle;
    else if (read_leaves && read_info.last) begin
      reached <= read_info.row_issued;
      last_slot <= read_slot;
    end
    if (faults && !failing) begin
      failing <= 1'b1;
      fault <= read_fault;
    end else if (running && !failing && deadlock) begin
      failing <= 1'b1;
      fault <= '{CAUSE_BARRIER_DEADLOCK, retire_pc - 32'd8, 32'b0, waiting_slot, 5'd0};
    end
    if (failed || reset) failing <= 1'b0;
    if (failed) running <= 1'b0;
    if (reset) begin
      running <= 1'b0;
      failed <= 1'b0;
    end
  end

  // ---- For who watches ----
  assign trace.issued = row_issued;
  assign trace.left = {write_leaves, execute_leaves, read_leaves, decode_leaves, fetch_leaves};
  assign trace.pc = fetch_info.pc;
  assign trace.warp = fetch_info.warp;
  assign trace.row = fetch_info.row;
  assign trace_written = '{write_row.info.pc, write_row.info.warp, write_row.info.row, write_row.info.last, write_row.executed};
  assign trace_store = '{write_shared ? 2'd1 : write_global ? 2'd2 : write_local ? 2'd3 : 2'd0, write_address, write_data};
  assign trace_register_write = {set_thread_row, writes_register && !set_thread_row};
  assign trace_register_row = set_thread_row ? 32'(thread_index_row) : 32'(written_row);
  assign trace_register_halves = set_thread_row ? 2'b11 : register_halves;
  assign trace_register_lanes = set_thread_row ? thread_lanes : register_lanes;
  assign trace_register_data = set_thread_row ? thread_indices : written_data;
  assign trace_address_write = {address_adds && sets_address, sets_address};
  assign trace_address_register = written_areg;
  assign trace_address_lanes = address_lanes;
  assign trace_address_data = written_address;
  assign trace_flags_write = sets_flags;
  assign trace_flags_register = write_row.info.instruction.condition_destination;
  assign trace_flags_lanes = flags_lanes;
  assign trace_flags_data = flags_value;
endmodule
