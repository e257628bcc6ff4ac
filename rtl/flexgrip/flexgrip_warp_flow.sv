// SPDX-License-Identifier: Apache-2.0
// Where the warps of an SM are and which of their threads are there: program counter, active mask,
// reconvergence stack with its four kinds of entry (docs/g80.md, "Control flow"; thesis 4.1.1).
//
// Threads that leave a path early (RET, BRK, exit) must not come back when entries that list them are
// popped.  Instead of taking them out of every entry, each thread has the number of the entry that it
// waits at (waits_at), and those that have exited are not live: an entry that is popped brings back
// the threads in its mask that are live and wait at no entry below it.
//
// One entry is popped in a cycle: one operation at a time, busy while it goes on.
module flexgrip_warp_flow
  import flexgrip_pkg::*;
#(
    parameter int WARPS = 24,
    parameter int STACK_DEPTH = 32
) (
    input logic clock,
    input logic reset,

    // A fresh warp
    input logic        set,
    input logic [4:0]  set_warp,
    input logic [31:0] set_mask,

    // What warps look like
    input  logic [4:0]  fetch_warp,
    output logic [31:0] fetch_pc,
    input  logic [4:0]  read_warp,
    output logic [31:0] read_active,
    output logic [5:0]  read_depth,
    output logic        read_has_break,
    input  logic [4:0]  retire_warp,
    output logic        retire_finished,
    output logic [5:0]  retire_depth,
    output logic [31:0] retire_pc,

    input  logic        start,
    input  flow_t       operation,
    input  logic [4:0]  warp,
    input  logic [31:0] threads,   // taken, leaving
    input  logic [31:0] target,
    input  logic [31:0] next,
    output logic        busy,
    output logic [4:0]  busy_warp
);
  localparam logic [31:0] NOWHERE = 32'd1;  // no instruction starts at an odd address
  localparam logic [5:0] NO_ENTRY = 6'd63;
  localparam int ENTRIES = STACK_DEPTH == 0 ? 1 : STACK_DEPTH;
  localparam int PLACE_BITS = $clog2(WARPS * ENTRIES);

  typedef enum logic [1:0] {SYNC, DIVERGE, CALL, BREAK} entry_t;
  typedef struct packed {
    logic [31:0] mask;
    entry_t kind;
    logic [5:0] outer;  // the next entry of the same kind further down
  } stack_t;

  // The number of an entry for each thread, by its bits.
  typedef logic [5:0][31:0] planes_t;

  logic [31:0] pc[WARPS], active[WARPS], live[WARPS], outermost_pc[WARPS];
  logic [5:0] depth[WARPS];
  logic [3:0][5:0] innermost[WARPS];  // of each kind
  planes_t waits_at[WARPS];
  stack_t stack[WARPS*ENTRIES];
  logic [31:0] stack_pc[WARPS*ENTRIES];

  assign fetch_pc = pc[fetch_warp];
  assign read_active = active[read_warp];
  assign read_depth = depth[read_warp];
  assign read_has_break = innermost[read_warp][BREAK] != NO_ENTRY;
  assign retire_finished = live[retire_warp] == 32'b0;
  assign retire_depth = depth[retire_warp];
  assign retire_pc = pc[retire_warp];

  function automatic logic [PLACE_BITS-1:0] place(input logic [4:0] of_warp, input logic [5:0] entry);
    place = PLACE_BITS'(32'(of_warp) * ENTRIES + 32'(entry));
  endfunction

  function automatic planes_t with_entry(input planes_t old, input logic [31:0] threads_set,
                                         input logic [5:0] number);
    for (int i = 0; i < 6; i++)
      with_entry[i] = number[i] ? old[i] | threads_set : old[i] & ~threads_set;
  endfunction
  // The threads whose number is at least this one.
  function automatic logic [31:0] at_least(input planes_t numbers, input logic [5:0] number);
    logic [31:0] equal, greater;
    equal = ~32'b0;
    greater = 32'b0;
    for (int i = 5; i >= 0; i--) begin
      if (!number[i]) greater |= equal & numbers[i];
      equal &= number[i] ? numbers[i] : ~numbers[i];
    end
    at_least = greater | equal;
  endfunction

  typedef enum logic [1:0] {IDLE, JOINING, RESUMING} state_t;
  state_t state;
  logic [31:0] next_pc;
  assign busy = state != IDLE;

  // The entry on top of the stack of the warp that is busy
  logic [5:0] top;
  stack_t entry;
  logic [31:0] entry_pc, comes_back;
  always_comb begin
    top = depth[busy_warp] - 6'd1;
    entry = stack[place(busy_warp, top)];
    entry_pc = stack_pc[place(busy_warp, top)];
    comes_back = entry.mask & live[busy_warp] & at_least(waits_at[busy_warp], top);
  end

  // One warp changes in a cycle, and one entry of its stack: each memory is written in one place, so
  // that it is distributed memory.
  wire [4:0] changes = set ? set_warp : busy ? busy_warp : warp;
  logic [31:0] its_pc, its_active, its_live, its_outermost;
  logic [5:0] its_depth;
  logic [3:0][5:0] its_innermost;
  planes_t its_waits_at;
  logic pushes, moves_join;  // the innermost join
  stack_t pushed;
  logic [31:0] pushed_pc;
  state_t next_state;

  task automatic push(input entry_t kind, input logic [31:0] mask, where);
    pushes = 1'b1;
    pushed = '{mask, kind, its_innermost[kind]};
    pushed_pc = where;
    its_innermost[kind] = its_depth;
    its_depth = its_depth + 6'd1;
  endtask

  task automatic pop();
    its_depth = top;
    its_innermost[entry.kind] = entry.outer;
  endtask

  task automatic go_on(input logic [31:0] mask, where);
    its_active = mask;
    its_pc = where;
    its_waits_at = with_entry(its_waits_at, mask, NO_ENTRY);
    next_state = IDLE;
  endtask

  // Threads leave for the entry `to`, or for good.
  task automatic leave(input logic [5:0] to);
    its_active = its_active & ~threads;
    its_pc = next;
    if (to == NO_ENTRY) its_live = its_live & ~threads;
    else its_waits_at = with_entry(its_waits_at, threads, to);
    if (its_active == 32'b0) next_state = RESUMING;
  endtask

  always_comb begin
    pushes = 1'b0;
    moves_join = 1'b0;
    pushed = '0;
    pushed_pc = 32'b0;
    next_state = state;
    its_pc = pc[changes];
    its_active = active[changes];
    its_live = live[changes];
    its_outermost = outermost_pc[changes];
    its_depth = depth[changes];
    its_innermost = innermost[changes];
    its_waits_at = waits_at[changes];
    if (set) begin
      its_pc = 32'b0;
      its_active = set_mask;
      its_live = set_mask;
      its_outermost = NOWHERE;
      its_depth = 6'd0;
      its_innermost = {4{NO_ENTRY}};
      its_waits_at = '1;  // NO_ENTRY
    end else if (start || busy)
      case (state)
        JOINING:
        if (depth[busy_warp] == 6'd0) go_on(its_live, next_pc);
        else if (entry.kind == DIVERGE) begin
          pop();
          if (comes_back != 32'b0) begin
            // Those that are here wait behind this join, whichever way their turn comes.
            moves_join = its_innermost[SYNC] != NO_ENTRY;
            if (!moves_join) its_outermost = next_pc;
            go_on(comes_back, entry_pc);
          end
        end else begin
          // A call or a break is not this join's.
          if (entry.kind == SYNC) begin
            pop();
            go_on(comes_back, next_pc);
          end else go_on(its_active, next_pc);
        end
        RESUMING:
        if (depth[busy_warp] == 6'd0) go_on(its_live, its_outermost);
        else begin
          pop();
          if (comes_back != 32'b0) go_on(comes_back, entry_pc);
        end
        default:
        case (operation)
          FLOW_NEXT: its_pc = next;
          FLOW_BRANCH:
          if (threads == 32'b0) its_pc = next;
          else if (threads == its_active) its_pc = target;
          else begin
            push(DIVERGE, its_active & ~threads, next);
            its_active = threads;
            its_pc = target;
          end
          FLOW_BRANCH_NOT_TAKEN_FIRST:
          if (threads == 32'b0) its_pc = next;
          else if (threads == its_active) its_pc = target;
          else begin
            push(DIVERGE, threads, target);
            its_active = its_active & ~threads;
            its_pc = next;
          end
          FLOW_SYNC: begin
            push(SYNC, its_active, target);
            its_pc = next;
          end
          FLOW_PRE_BREAK: begin
            push(BREAK, its_active, target);
            its_pc = next;
          end
          FLOW_CALL: begin
            push(CALL, its_active, next);
            its_pc = target;
          end
          FLOW_JOIN: next_state = JOINING;
          FLOW_RETURN: leave(its_innermost[CALL]);
          FLOW_BREAK: leave(its_innermost[BREAK]);
          default: leave(NO_ENTRY);  // FLOW_EXIT
        endcase
      endcase
  end

  always_ff @(posedge clock) begin
    state <= reset ? IDLE : next_state;
    if (start && !busy) begin
      busy_warp <= warp;
      next_pc <= next;
    end
    if (set || start || busy) begin
      pc[changes] <= its_pc;
      active[changes] <= its_active;
      live[changes] <= its_live;
      outermost_pc[changes] <= its_outermost;
      depth[changes] <= its_depth;
      innermost[changes] <= its_innermost;
      waits_at[changes] <= its_waits_at;
      if (pushes) stack[place(changes, depth[changes])] <= pushed;
      if (pushes || moves_join)
        stack_pc[place(changes, moves_join ? its_innermost[SYNC] : depth[changes])] <=
            moves_join ? next_pc : pushed_pc;
    end
  end
endmodule
