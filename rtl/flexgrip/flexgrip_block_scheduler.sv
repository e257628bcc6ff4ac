// SPDX-License-Identifier: Apache-2.0
// The life of a kernel (thesis 4.1.2): is it admitted, then batches of as many blocks as an SM runs at
// a time, each configured (headers and parameters into shared memory, thread indices into the
// registers) and run to its end before the next.  Admission goes on while the first batch is waited
// for, and takes no time of its own.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_block_scheduler
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
  import flexgrip_timing_pkg::*;
#(
    parameter int SPS = 8,
    parameter int BLOCKS = 8,
    parameter int SHARED_WORD_BITS = 12
) (
    input logic clock,
    input logic reset,
    input logic stop,

    input  logic        start,
    input  logic        full_warps,
    input  kernel_t     kernel,
    output logic [4:0]  parameter_index,
    input  logic [31:0] parameter_value,

    input logic        admitted,  // in this cycle it is known: cause, blocks
    input cause_t      cause,
    input logic [7:0]  blocks_per_sm,
    input logic [5:0]  warps_per_block,
    input logic [10:0] threads,
    input logic [31:0] shared_bytes,
    input logic [31:0] total,

    output logic                        clear,
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
    output logic                        start_sm,
    output logic [5:0]                  warps,
    input  logic                        sm_ended,
    input  logic                        sm_failed,
    input  logic [63:0]                 sm_reached,
    input  logic [4:0]                  fault_block,

    output logic        running,
    output logic        done,     // the kernel has ended, in this cycle
    output logic        refused,  // it has not begun, in this cycle
    output logic [63:0] cycle,
    output logic [63:0] executing,  // cycles in which the SM ran blocks
    output logic [31:0] fault_block_index,  // y, x
    output logic [31:0] blocks_ended
);
  typedef enum logic [2:0] {IDLE, PAUSE, BATCH, BLOCK, RUN, FINISH} state_t;
  state_t state;
  logic [31:0] count;
  logic is_admitted;
  logic [31:0] left;  // blocks that have not been configured
  logic [15:0] x, y;  // of the next one
  logic [15:0] block_x[BLOCKS], block_y[BLOCKS];
  logic [7:0] batch, block;  // how many, which
  logic [63:0] executed, begun;

  wire [31:0] each = CONFIGURE_BLOCK + CONFIGURE_PARAMETER * kernel.parameter_count +
                     CONFIGURE_THREAD * 32'(threads) + CONFIGURE_WARP * 32'(warps_per_block);
  assign running = state != IDLE;
  assign refused = running && admitted && cause != CAUSE_NONE;
  assign done = sm_failed || stop || (state == FINISH && count == 32'd0);
  assign executing = executed + (state != RUN ? 64'd0 : sm_failed ? sm_reached - begun : cycle - begun);
  assign fault_block_index = {block_y[fault_block[$clog2(BLOCKS)-1:0]],
                              block_x[fault_block[$clog2(BLOCKS)-1:0]]};

  always_ff @(posedge clock) begin
    if (running) cycle <= cycle + 64'd1;
    if (count != 32'd0) count <= count - 32'd1;
    clear <= 1'b0;
    start_sm <= 1'b0;
    if (admitted) is_admitted <= 1'b1;
    case (state)
      PAUSE: if (count == 32'd0) begin
        state <= BATCH;
        count <= CONFIGURE_BATCH - 32'd1;
        clear <= 1'b1;
      end
      BATCH: if (count == 32'd0 && (is_admitted || admitted)) begin
        state <= BLOCK;
        batch <= 32'(blocks_per_sm) < left ? blocks_per_sm : left[7:0];
        block <= 8'd0;
        count <= each - 32'd1;
      end
      BLOCK: if (count == 32'd0) begin
        block_x[block[$clog2(BLOCKS)-1:0]] <= x;
        block_y[block[$clog2(BLOCKS)-1:0]] <= y;
        x <= x + 16'd1;
        if (x + 16'd1 == kernel.grid_x[15:0]) begin
          x <= 16'd0;
          y <= y + 16'd1;
        end
        left <= left - 32'd1;
        block <= block + 8'd1;
        count <= each - 32'd1;
        if (block + 8'd1 == batch) begin
          state <= RUN;
          start_sm <= 1'b1;
          begun <= cycle + 64'd1;
        end
      end
      RUN: if (sm_ended) begin
        executed <= executed + cycle - begun;
        blocks_ended <= blocks_ended + 32'(batch);
        state <= left == 32'd0 ? FINISH : PAUSE;
        count <= left == 32'd0 ? KERNEL_END - 32'd1 : BATCH_GAP - 32'd2;
      end
      FINISH: if (count == 32'd0) state <= IDLE;
      default: ;
    endcase
    if (start) begin
      state <= PAUSE;
      count <= KERNEL_START - 32'd1;
      cycle <= 64'd0;
      executed <= 64'd0;
      blocks_ended <= 32'd0;
      left <= total;
      x <= 16'd0;
      y <= 16'd0;
      is_admitted <= 1'b0;
    end
    if (refused || sm_failed || stop || reset) state <= IDLE;
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
    thread_indices[lane] = {thread_z[5:0], thread_y[9:0], thread_x};
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
  assign warps = 6'(32'(batch) * 32'(warps_per_block));

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
