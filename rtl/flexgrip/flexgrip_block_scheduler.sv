// SPDX-License-Identifier: Apache-2.0
// The life of a kernel (thesis 4.1.2): is it admitted, then for each SM batches of as many blocks as it
// runs at a time, each configured (headers and parameters into shared memory, thread indices into the
// registers) and run to its end before the next.  Block i is for SM i modulo their number; SMs are
// configured one after the other, in the order in which they have ended their last batch.  Admission
// goes on while the first batch is waited for, and takes no time of its own.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_block_scheduler
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
  import flexgrip_timing_pkg::*;
#(
    parameter int SMS = 1,
    parameter int SPS = 8,
    parameter int BLOCKS = 8,
    parameter int SHARED_WORD_BITS = 12,
    localparam int SM_BITS = SMS > 1 ? $clog2(SMS) : 1
) (
    input logic clock,
    input logic reset,
    input logic stop,

    input  logic        start,
    input  timing_t     timing,
    input  logic        full_warps,
    input  kernel_t     kernel,
    output logic [4:0]  parameter_index,
    input  logic [31:0] parameter_value,

    input logic        admitted,  // in this cycle it is known: cause, blocks
    input cause_t      cause,
    input logic [7:0]  blocks_at_a_time,
    input logic [5:0]  warps_per_block,
    input logic [10:0] threads,
    input logic [31:0] shared_bytes,
    input logic [31:0] total,

    // A batch for an SM: those of set_* are for set_sm
    output logic [SMS-1:0]              clear,
    output logic [SM_BITS-1:0]          set_sm,
    output logic                        set_warp,
    output logic [4:0]                  set_slot,
    output logic [4:0]                  set_block,
    output logic [4:0]                  set_first_slot,
    output logic [31:0]                 set_mask,
    output logic                        set_thread_row,
    output logic [1:0]                  thread_row,
    output logic [SPS-1:0]              thread_lanes,
    output logic [SPS-1:0][31:0]        thread_indices,
    output logic                        set_shared,
    output logic [SHARED_WORD_BITS-1:0] set_shared_word,
    output logic [31:0]                 set_shared_data,
    output logic [SMS-1:0]              start_sm,
    output logic [SMS-1:0][5:0]         warps,
    input  logic [SMS-1:0]              sm_ended,
    // An SM has failed; which one, the last cycle that it has reached, and the slot of the block
    input  logic                        sm_failed,
    input  logic [SM_BITS-1:0]          failed_sm,
    input  logic [63:0]                 sm_reached,
    input  logic [4:0]                  fault_block,

    output logic        running,
    output logic        done,     // the kernel has ended, in this cycle
    output logic        refused,  // it has not begun, in this cycle
    output logic [63:0] cycle,
    output logic [63:0] executing,  // cycles in which the SMs ran blocks, all together
    output logic [31:0] fault_block_index,  // y, x
    output logic [SMS-1:0][31:0] blocks_ended  // of each SM
);
  if (SMS < 1 || SMS > 12) $error("flexgrip: SMS must be 1 to 12");
  localparam int SLOT_BITS = $clog2(BLOCKS);

  // The block scheduler waits, prepares a batch, configures its blocks; at last the kernel ends.
  typedef enum logic [2:0] {IDLE, PAUSE, BATCH, BLOCK, FINISH} state_t;
  state_t state;
  logic [31:0] count;
  logic is_admitted;
  logic [7:0] block;  // of the batch
  logic [63:0] executed;

  // Of each SM: has it blocks left, runs it some, or waits for more, and since when (from 0 on it can
  // have them); its next block.
  logic [SMS-1:0] active, runs, waits;
  logic signed [31:0] due[SMS];
  logic [31:0] next_block[SMS];
  logic [15:0] place_x[SMS], place_y[SMS];
  logic [7:0] batch[SMS];  // how many blocks
  logic [15:0] block_x[SMS][BLOCKS], block_y[SMS][BLOCKS];

  wire [31:0] each = 32'(timing.configure_block) + CONFIGURE_PARAMETER * kernel.parameter_count +
                     32'(timing.configure_thread) * 32'(threads) +
                     32'(timing.configure_warp) * 32'(warps_per_block);
  assign running = state != IDLE;
  assign refused = running && admitted && cause != CAUSE_NONE;
  assign done = sm_failed || stop || (state == FINISH && count == 32'd0);
  assign executing = executed - (sm_failed ? cycle - sm_reached : 64'd0);
  assign fault_block_index = {block_y[failed_sm][fault_block[SLOT_BITS-1:0]],
                              block_x[failed_sm][fault_block[SLOT_BITS-1:0]]};

  // Who has waited longest
  logic [SM_BITS-1:0] chosen;
  logic somebody;
  always_comb begin
    chosen = '0;
    somebody = 1'b0;
    for (int sm = 0; sm < SMS; sm++)
      if (waits[sm] && due[sm] >= 0 && (!somebody || due[sm] > due[chosen])) begin
        chosen = SM_BITS'(sm);
        somebody = 1'b1;
      end
  end

  wire block_ends = state == BLOCK && count == 32'd0;
  wire batch_ends = block_ends && (block + 8'd1 == blocks_at_a_time || next_block[set_sm] + SMS >= total);
  wire begins = somebody && (state == PAUSE || batch_ends);
  // The place of the block after this one of the SM, a step in each cycle
  logic [4:0] steps;
  logic [15:0] x, y, next_x, next_y;
  // The first blocks of the SMs, the same way
  logic [4:0] first_sm;
  logic [15:0] first_x, first_y;
  logic [SMS-1:0] still_active;
  logic [4:0] running_sms;
  always_comb begin
    still_active = active;
    running_sms = 5'd0;
    for (int sm = 0; sm < SMS; sm++) begin
      if (sm_ended[sm] && next_block[sm] >= total) still_active[sm] = 1'b0;
      running_sms += 5'(runs[sm] && !sm_ended[sm]);
    end
  end

  always_ff @(posedge clock) begin
    if (running) cycle <= cycle + 64'd1;
    if (count != 32'd0) count <= count - 32'd1;
    clear <= '0;
    start_sm <= '0;
    if (admitted) is_admitted <= 1'b1;
    executed <= executed + 64'(running_sms);

    if (running && first_sm != 5'(SMS)) begin
      place_x[first_sm[SM_BITS-1:0]] <= first_x;
      place_y[first_sm[SM_BITS-1:0]] <= first_y;
      first_sm <= first_sm + 5'd1;
      first_x <= first_x + 16'd1;
      if (first_x + 16'd1 == kernel.grid_x[15:0]) begin
        first_x <= 16'd0;
        first_y <= first_y + 16'd1;
      end
    end
    if (state == BLOCK && steps != 5'd0) begin
      steps <= steps - 5'd1;
      next_x <= next_x + 16'd1;
      if (next_x + 16'd1 == kernel.grid_x[15:0]) begin
        next_x <= 16'd0;
        next_y <= next_y + 16'd1;
      end
    end

    for (int sm = 0; sm < SMS; sm++) begin
      if (waits[sm]) due[sm] <= due[sm] + 1;
      if (sm_ended[sm]) begin
        runs[sm] <= 1'b0;
        blocks_ended[sm] <= blocks_ended[sm] + 32'(batch[sm]);
        waits[sm] <= still_active[sm];
        due[sm] <= 2 - BATCH_GAP;
      end
    end
    active <= still_active;

    if (state == BATCH && count == 32'd0 && (is_admitted || admitted)) begin
      state <= BLOCK;
      block <= 8'd0;
      count <= each - 32'd1;
      {x, y} <= {place_x[set_sm], place_y[set_sm]};
      {next_x, next_y} <= {place_x[set_sm], place_y[set_sm]};
      steps <= 5'(SMS);
    end
    if (block_ends) begin
      block_x[set_sm][block[SLOT_BITS-1:0]] <= x;
      block_y[set_sm][block[SLOT_BITS-1:0]] <= y;
      {x, y} <= {next_x, next_y};
      {place_x[set_sm], place_y[set_sm]} <= {next_x, next_y};
      steps <= 5'(SMS);
      next_block[set_sm] <= next_block[set_sm] + SMS;
      block <= block + 8'd1;
      count <= each - 32'd1;
    end
    if (batch_ends) begin
      state <= PAUSE;
      start_sm[set_sm] <= 1'b1;
      runs[set_sm] <= 1'b1;
      batch[set_sm] <= block + 8'd1;
      warps[set_sm] <= 6'((32'(block) + 32'd1) * 32'(warps_per_block));
    end
    if (begins) begin
      state <= BATCH;
      count <= 32'(timing.configure_batch) - 32'd1;
      set_sm <= chosen;
      clear[chosen] <= 1'b1;
      waits[chosen] <= 1'b0;
    end
    if (state == PAUSE && active != '0 && still_active == '0) begin
      state <= FINISH;
      count <= KERNEL_END - 32'd1;
    end
    if (state == FINISH && count == 32'd0) state <= IDLE;

    if (start) begin
      state <= PAUSE;
      cycle <= 64'd0;
      executed <= 64'd0;
      blocks_ended <= '0;
      is_admitted <= 1'b0;
      runs <= '0;
      first_sm <= 5'd0;
      first_x <= 16'd0;
      first_y <= 16'd0;
      for (int sm = 0; sm < SMS; sm++) begin
        active[sm] <= 32'(sm) < total;
        waits[sm] <= 32'(sm) < total;
        due[sm] <= 1 - KERNEL_START;
        next_block[sm] <= 32'(sm);
      end
    end
    if (refused || sm_failed || stop || reset) begin
      state <= IDLE;
      active <= '0;
      runs <= '0;
      waits <= '0;
    end
    if (refused) cycle <= 64'd0;
  end

  // ---- A block's configuration: two walks beside each other, through its header and its threads ----
  logic [5:0] word;
  logic [10:0] thread;
  logic [15:0] thread_x, thread_y, thread_z;
  logic [4:0] first_slot;
  logic [31:0] header_data;
  logic [SPS-1:0] lanes_held;
  logic [SPS-1:0][31:0] indices_held;
  localparam int LANE_BITS = $clog2(SPS);

  wire walks_header = state == BLOCK && {26'b0, word} < 32'd4 + kernel.parameter_count;
  wire walks_threads = state == BLOCK && thread < threads;
  wire [LANE_BITS-1:0] lane = thread[LANE_BITS-1:0];
  assign parameter_index = 5'(word - 6'd4);
  always_comb begin
    case (word)
      6'd0: header_data = {kernel.block_x[15:0], 16'b0};
      6'd1: header_data = {kernel.block_z[15:0], kernel.block_y[15:0]};
      6'd2: header_data = {kernel.grid_y[15:0], kernel.grid_x[15:0]};
      6'd3: header_data = {y, x};
      default: header_data = parameter_value;
    endcase
    thread_lanes = lanes_held;
    thread_lanes[lane] = 1'b1;
    thread_indices = indices_held;
    for (int i = 0; i < SPS; i++)
      if (lane == LANE_BITS'(i)) thread_indices[i] = {thread_z[5:0], thread_y[9:0], thread_x};
  end
  assign set_shared = walks_header;
  assign set_shared_word = SHARED_WORD_BITS'(32'(block) * (shared_bytes >> 2) + 32'(word));
  assign set_shared_data = header_data;
  assign set_first_slot = first_slot;
  assign set_block = block[4:0];
  assign set_slot = first_slot + thread[9:5];
  assign set_warp = walks_threads && thread[4:0] == 5'd0;
  wire [10:0] threads_left = threads - thread;
  assign set_mask = full_warps || threads_left >= 11'd32 ? 32'hffff_ffff : (32'd1 << threads_left[4:0]) - 32'd1;
  assign set_thread_row = walks_threads && (&lane || thread + 11'd1 == threads);
  assign thread_row = 2'(32'(thread[4:0]) / SPS);

  always_ff @(posedge clock) begin
    if (walks_header) word <= word + 6'd1;
    if (walks_threads) begin
      thread <= thread + 11'd1;
      lanes_held <= set_thread_row ? '0 : thread_lanes;
      indices_held <= thread_indices;
      thread_x <= thread_x + 16'd1;
      if (thread_x + 16'd1 == kernel.block_x[15:0]) begin
        thread_x <= 16'd0;
        thread_y <= thread_y + 16'd1;
        if (thread_y + 16'd1 == kernel.block_y[15:0]) begin
          thread_y <= 16'd0;
          thread_z <= thread_z + 16'd1;
        end
      end
    end
    if (state == BATCH || (state == BLOCK && count == 32'd0)) begin
      word <= 6'd0;
      thread <= 11'd0;
      thread_x <= 16'd0;
      thread_y <= 16'd0;
      thread_z <= 16'd0;
      lanes_held <= '0;
      first_slot <= state == BATCH ? 5'd0 : first_slot + warps_per_block[4:0];
    end
  end
endmodule
