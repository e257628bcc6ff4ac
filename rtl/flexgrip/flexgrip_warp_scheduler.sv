// SPDX-License-Identifier: Apache-2.0
// Which warp of an SM is issued when: looks at one warp every `poll` cycles, strictly in turn.  One
// whose instruction is still in the pipeline is waited for; one that has finished or waits at a
// barrier is passed, once the fetch stage is free (docs/flexgrip-timing.md, "Warps").
module flexgrip_warp_scheduler
  import flexgrip_timing_pkg::*;
#(
    parameter int WARPS = 24
) (
    input logic clock,
    input logic reset,

    input  logic       start,  // the batch has been configured
    input  logic [5:0] warps,
    output logic       ended,  // the batch has ended: for a cycle

    input logic [WARPS-1:0] in_flight,
    input logic [WARPS-1:0] ready,
    input logic             all_written,  // every warp has finished, and was seen to
    input logic             fetch_busy,
    input logic             last_row_issued,  // in this cycle: of the warp that was issued

    output logic       issue,
    output logic [4:0] warp
);
  typedef enum logic [2:0] {IDLE, PAUSE, LOOK, SEEN, ISSUED, ENDING} state_t;
  state_t state;
  logic [15:0] count;
  logic [4:0] current;

  assign warp = current;
  wire looks = state == LOOK && !all_written;
  wire seen = (looks && !in_flight[current]) || state == SEEN;
  wire passes = seen && !fetch_busy && !ready[current];
  assign issue = seen && !fetch_busy && ready[current];
  assign ended = state == ENDING && count == 16'd0;

  task automatic look_after(input int unsigned cycles);
    state <= cycles == 1 ? LOOK : PAUSE;
    count <= 16'(cycles) - 16'd2;
  endtask

  task automatic next_warp();
    current <= {1'b0, current} + 6'd1 == warps ? 5'd0 : current + 5'd1;
  endtask

  always_ff @(posedge clock) begin
    if (count != 16'd0) count <= count - 16'd1;
    case (state)
      PAUSE: if (count == 16'd0) state <= LOOK;
      ISSUED: if (last_row_issued) begin
        state <= LOOK;
        next_warp();
      end
      LOOK, SEEN: begin
        if (state == LOOK && all_written) begin
          state <= ENDING;
          count <= 16'(BATCH_END) - 16'd1;
        end else if (issue) begin
          state <= ISSUED;
        end else if (passes) begin
          next_warp();
          look_after(POLL);
        end else if (seen) begin
          state <= SEEN;
        end else begin
          look_after(POLL);
        end
      end
      ENDING: if (count == 16'd0) state <= IDLE;
      default: ;
    endcase
    if (start) begin
      current <= 5'd0;
      look_after(FIRST_ISSUE - 1);
    end
    if (reset) state <= IDLE;
  end
endmodule
