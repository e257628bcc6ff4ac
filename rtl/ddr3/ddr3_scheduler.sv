// SPDX-License-Identifier: Apache-2.0
// Which command the SDRAM gets: a queue for each bank, of which the oldest request whose row is open,
// else the oldest of all, asks for its next command.  Of the banks whose command may go now that with
// the oldest request wins (first-ready, first-come first-served).  A request that `starvation_limit`
// younger ones have overtaken goes before any other; with in_order the oldest always does.  When a
// refresh is due nothing else starts: all banks are precharged, then refreshed.
// A request that is pushed at an edge can have its command in the cycle after it.
// Not here: write batching, postponed refreshes, ranks, power-down.
module ddr3_scheduler
  import ddr3_package::*;
(
    input logic clk,
    input logic resetn,
    input timing_t timing,
    input logic in_order,
    input logic closed_page,  // precharge after every burst
    input logic [3:0] queue_depth,  // 1 to DEPTH
    input logic [20:0] starvation_limit,

    input logic push,  // to a bank that has room
    input request_t request,
    output logic [BANKS-1:0] room,
    input logic refresh_tick,  // a refresh falls due in this cycle

    // the command of this cycle
    output logic [3:0] command,
    output logic automatically,
    output logic all_banks,
    output bank_t bank,
    output row_t row,
    output column_t column,
    output slot_t slot
);
  typedef logic [2:0] place_t;

  // Queues, by age.
  logic [3:0] count[BANKS];
  row_t rows[BANKS][DEPTH];
  column_t columns[BANKS][DEPTH];
  logic [6:0] owners[BANKS][DEPTH];  // write, slot
  logic [31:0] numbers[BANKS][DEPTH];  // of arrival
  logic [DEPTH-1:0] hits[BANKS];  // those whose row is open
  logic [BANKS-1:0] open;
  row_t open_row[BANKS];
  logic [31:0] arrived, served;
  logic [3:0] refreshes_owed;

  logic activates, reads, writes, precharges, precharges_all, refreshes;
  logic [BANKS-1:0] may_activate, may_access, may_precharge;
  logic may_activate_any, may_read, may_write;
  ddr3_timing rules (.*);

  always_comb for (int b = 0; b < BANKS; b++) room[b] = count[b] < queue_depth;

  function automatic logic older(input logic [31:0] a, input logic [31:0] b);
    older = $signed(a - b) < 0;
  endfunction
  function automatic place_t lowest(input logic [DEPTH-1:0] set);
    lowest = 0;
    for (int i = DEPTH - 1; i >= 0; i--) if (set[i]) lowest = place_t'(i);
  endfunction

  // The oldest request of all.
  logic waits;
  logic [31:0] oldest;
  bank_t oldest_bank;
  always_comb begin
    waits = 1'b0;
    oldest = 0;
    oldest_bank = 0;
    for (int b = 0; b < BANKS; b++)
      if (count[b] != 0 && (!waits || older(numbers[b][0], oldest))) begin
        waits = 1'b1;
        oldest = numbers[b][0];
        oldest_bank = bank_t'(b);
      end
  end
  // Everything older has been served, so what has been served beyond that has overtaken it.
  wire only_oldest = in_order || served - oldest >= {11'b0, starvation_limit};

  // The first of those that may have their command now.
  logic refresh_due, goes;
  place_t place, candidate;
  logic [31:0] number;
  logic is_hit, hit, ready;
  always_comb begin
    goes = 1'b0;
    bank = 0;
    place = 0;
    is_hit = 1'b0;
    number = 0;
    candidate = 0;
    hit = 1'b0;
    ready = 1'b0;
    refresh_due = refreshes_owed != 0 || refresh_tick;
    if (waits && !refresh_due)
      for (int b = 0; b < BANKS; b++)
        if (count[b] != 0 && (!only_oldest || oldest_bank == bank_t'(b))) begin
          candidate = only_oldest ? 3'd0 : lowest(hits[b]);
          hit = hits[b][candidate];
          if (!open[b]) ready = may_activate[b] && may_activate_any;
          else if (!hit) ready = may_precharge[b];
          else ready = may_access[b] && (owners[b][candidate][6] ? may_write : may_read);
          if (ready && (!goes || older(numbers[b][candidate], number))) begin
            goes = 1'b1;
            bank = bank_t'(b);
            place = candidate;
            is_hit = hit;
            number = numbers[b][candidate];
          end
        end
  end

  assign row = rows[bank][place];
  assign column = columns[bank][place];
  assign slot = owners[bank][place][5:0];
  wire serves = goes && is_hit;
  assign activates = goes && !open[bank];
  assign precharges = goes && open[bank] && !is_hit;
  assign reads = serves && !owners[bank][place][6];
  assign writes = serves && owners[bank][place][6];
  assign automatically = serves && closed_page;
  assign precharges_all = refresh_due && open != 0 && &may_precharge;
  assign refreshes = refresh_due && open == 0 && &may_activate;
  assign all_banks = precharges_all;
  always_comb
    if (activates) command = ACTIVATE;
    else if (reads) command = READ;
    else if (writes) command = WRITE;
    else if (precharges || precharges_all) command = PRECHARGE;
    else if (refreshes) command = REFRESH;
    else command = DESELECT;

  // What the command and the push make of the hits.
  wire bank_t to = request.bank;
  wire place_t last = place_t'(count[to] - {3'b0, serves && bank == to});
  wire [DEPTH-1:0] below = ~({DEPTH{1'b1}} << place);
  logic [DEPTH-1:0] hits_of_bank, hits_of_target;
  logic target_open;
  row_t target_row;
  always_comb begin
    hits_of_bank = hits[bank];
    if (serves) hits_of_bank = (hits[bank] & below) | ((hits[bank] >> 1) & ~below);
    if (activates)
      for (int i = 0; i < DEPTH; i++)
        hits_of_bank[i] = {1'b0, place_t'(i)} < count[bank] && rows[bank][i] == row;
    if (precharges || automatically) hits_of_bank = 0;
    target_open = open[to];
    target_row = open_row[to];
    hits_of_target = hits[to];
    if (goes && bank == to) begin
      target_open = activates || (open[to] && !precharges && !automatically);
      if (activates) target_row = row;
      hits_of_target = hits_of_bank;
    end
    hits_of_target[last] = target_open && target_row == request.row;
    if (precharges_all) hits_of_target = 0;
  end

  always_ff @(posedge clk) begin
    if (activates) begin
      open[bank] <= 1'b1;
      open_row[bank] <= row;
    end
    if (precharges || automatically) open[bank] <= 1'b0;
    if (goes) hits[bank] <= hits_of_bank;
    if (precharges_all) begin
      open <= 0;
      for (int b = 0; b < BANKS; b++) hits[b] <= 0;
    end
    if (serves) begin
      served <= served + 1;
      for (int i = 0; i < DEPTH - 1; i++)
        if (place_t'(i) >= place) begin
          rows[bank][i] <= rows[bank][i+1];
          columns[bank][i] <= columns[bank][i+1];
          owners[bank][i] <= owners[bank][i+1];
          numbers[bank][i] <= numbers[bank][i+1];
        end
      count[bank] <= count[bank] - 1'b1;
    end
    if (push) begin
      rows[to][last] <= request.row;
      columns[to][last] <= request.column;
      owners[to][last] <= {request.write, request.slot};
      numbers[to][last] <= arrived;
      arrived <= arrived + 1;
      hits[to] <= hits_of_target;
      count[to] <= {1'b0, last} + 1'b1;
    end
    refreshes_owed <= refreshes_owed + {3'b0, refresh_tick} - {3'b0, refreshes};

    if (!resetn) begin
      open <= 0;
      for (int b = 0; b < BANKS; b++) begin
        count[b] <= 0;
        hits[b]  <= 0;
      end
      arrived <= 0;
      served <= 0;
      refreshes_owed <= 0;
    end
  end

`ifdef VERILATOR
  wire row_t opened = open_row[bank];
  always_ff @(posedge clk)
    if (resetn) begin
      if (push) assert (room[to]);
      if (serves) assert (opened == row);
      assert (refreshes_owed < 9);  // JESD79-3: 8 postponed
      assert (!older(arrived, served));
    end
`endif
endmodule
