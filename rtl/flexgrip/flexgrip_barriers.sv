// SPDX-License-Identifier: Apache-2.0
// The states of an SM's warps and the sixteen barriers of each of its blocks.  It is told of each
// warp instruction that has left the pipeline (retire, in the cycle after its last row was written)
// and says then whether barrier instructions or ends of warps have completed a barrier.  The warps
// that wait there go on one after the other, by their numbers.  A warp in flight is none that waits.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_barriers
  import flexgrip_timing_pkg::*;
#(
    parameter int WARPS = 24,
    parameter int BLOCKS = 8
) (
    input logic clock,
    input logic clear,  // no warps

    input logic       set,  // a warp of a fresh block
    input logic [4:0] set_warp,
    input logic [4:0] set_block,         // slot
    input logic [4:0] set_first_warp,    // of the block
    input logic [5:0] warps_per_block,

    input logic       issue,
    input logic [4:0] issue_warp,

    input  logic        retire,
    input  logic [4:0]  retire_warp,
    input  logic        retire_finished,
    input  logic        retire_barrier,
    input  logic [3:0]  barrier,
    input  logic [11:0] threads,
    input  logic        all, arrive, waits,
    output logic        releases,  // in the cycle of retire

    output logic [WARPS-1:0] in_flight,
    output logic [WARPS-1:0] ready,
    output logic             all_finished,
    output logic             deadlock,
    output logic [4:0]       block_of[WARPS]
);
  localparam int COUNT = 16;
  localparam int ALL = 255;

  typedef struct packed {
    logic [7:0] arrived, expected;
    logic [WARPS-1:0] waiting;
  } barrier_t;
  typedef barrier_t [COUNT-1:0] barriers_t;
  barriers_t barrier_states[BLOCKS];  // distributed memory: a row for each block, written in one place
  logic [WARPS-1:0] present, finished, waiting, released;
  logic [5:0] live[BLOCKS];  // warps
  logic [15:0] release_count;

  localparam int BLOCK_BITS = BLOCKS == 1 ? 1 : $clog2(BLOCKS);
  wire [BLOCK_BITS-1:0] block = BLOCK_BITS'(block_of[retire_warp]);

  function automatic logic complete(input barrier_t b, input logic [5:0] warps_live);
    complete = b.arrived >= (b.expected == 8'(ALL) ? {2'b0, warps_live} : b.expected);
  endfunction

  // What the instruction that retires comes to
  barrier_t now;
  logic completes, sleeps;
  logic [WARPS-1:0] goes_on;
  logic [7:0] warps_expected;
  logic [COUNT-1:0] completed_by_end;
  always_comb begin
    now = barrier_states[block][barrier];
    completes = 1'b0;
    sleeps = 1'b0;
    goes_on = '0;
    completed_by_end = '0;
    // Counts are in threads, whole warps of them, at least one.
    warps_expected = threads == 12'd0 ? 8'd1 : 8'((13'(threads) + 13'd31) >> 5);
    if (retire && retire_barrier) begin
      if (arrive) begin
        now.arrived = now.arrived + 8'd1;
        now.expected = all ? 8'(ALL) : warps_expected;
        completes = complete(now, live[block]);
        if (completes) begin
          goes_on = now.waiting;
          now = '0;
        end
      end
      sleeps = waits && !completes && now.arrived != 8'd0;
      if (sleeps) now.waiting[retire_warp] = 1'b1;
      // A warp that need not wait comes back with those it releases.
      if (waits && !sleeps) goes_on[retire_warp] = 1'b1;
    end
    if (retire && retire_finished)
      for (int i = 0; i < COUNT; i++)
        if (barrier_states[block][i].arrived != 8'd0 &&
            complete(barrier_states[block][i], live[block] - 6'd1)) begin
          completed_by_end[i] = 1'b1;
          goes_on |= barrier_states[block][i].waiting;
        end
  end
  assign releases = goes_on != '0;

  assign ready = present & ~finished & ~waiting & ~in_flight;
  assign all_finished = (present & ~finished) == '0;
  assign deadlock = !all_finished && (present & ~finished & ~waiting) == '0 && released == '0 && !retire;

  // A fresh block has no barriers.
  wire sets_block = set && set_warp == set_first_warp;
  wire [BLOCK_BITS-1:0] written_block = sets_block ? BLOCK_BITS'(set_block) : block;
  wire [5:0] written_live = sets_block ? warps_per_block : live[block] - 6'd1;
  always_ff @(posedge clock) begin
    if (sets_block || (retire && (retire_barrier || retire_finished))) begin
      barriers_t row;
      row = sets_block ? '0 : barrier_states[block];
      for (int i = 0; i < COUNT; i++)
        if (!sets_block && retire_barrier && barrier == 4'(i)) row[i] = now;
        else if (completed_by_end[i]) row[i] = '0;
      barrier_states[written_block] <= row;
    end
    if (sets_block || (retire && retire_finished)) live[written_block] <= written_live;
  end

  // Warp i goes on so many cycles after the write: barrier_release + i * barrier_release_warp.
  logic [4:0] release_warp;
  always_ff @(posedge clock) begin
    if (issue) in_flight[issue_warp] <= 1'b1;
    if (released != '0) begin
      release_count <= release_count - 16'd1;
      if (release_count == 16'd1) begin
        released[release_warp] <= 1'b0;
        if (released[release_warp]) waiting[release_warp] <= 1'b0;
        release_warp <= release_warp + 5'd1;
        release_count <= 16'(BARRIER_RELEASE_WARP);
      end
    end
    if (retire) begin
      in_flight[retire_warp] <= 1'b0;
      if (retire_finished) finished[retire_warp] <= 1'b1;
      if (sleeps) waiting[retire_warp] <= 1'b1;
      if (releases) begin
        released <= released | goes_on;
        waiting <= waiting | goes_on;
        release_warp <= 5'd0;
        release_count <= 16'(BARRIER_RELEASE) - 16'd1;
      end
    end
    if (set) begin
      present[set_warp] <= 1'b1;
      block_of[set_warp] <= set_block;
    end
    if (clear) begin
      present <= '0;
      finished <= '0;
      waiting <= '0;
      released <= '0;
      in_flight <= '0;
    end
  end
endmodule
