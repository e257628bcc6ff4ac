// SPDX-License-Identifier: Apache-2.0
// The writes of an AXI4 port with words of one SDRAM burst: beats of W that lie in the same word are
// gathered, each word becomes a request.  B comes when all data of a burst are in the SDRAM;
// responses with the same ID keep their order, others overtake.
module ddr3_write_port
  import ddr3_package::*;
#(
    parameter int ADDRESS_BITS = 40,
    parameter int ID_BITS = 16,
    parameter int TRANSACTIONS = 16  // under way at once
) (
    input logic clk,
    input logic resetn,

    input  logic [ID_BITS-1:0] awid,
    input  logic [ADDRESS_BITS-1:0] awaddr,
    input  logic [7:0] awlen,
    input  logic [2:0] awsize,
    input  logic [1:0] awburst,
    input  logic awvalid,
    output logic awready,
    input  logic [511:0] wdata,
    input  logic [63:0] wstrb,
    input  logic wlast,
    input  logic wvalid,
    output logic wready,
    output logic [ID_BITS-1:0] bid,
    output logic [1:0] bresp,
    output logic bvalid,
    input  logic bready,

    input logic [ADDRESS_BITS-1:0] size,  // of the memory, bytes; beyond it is DECERR

    // a request for a word, until it is taken
    output logic asks,
    output logic [ADDRESS_BITS-7:0] word,
    output slot_t slot,
    input  logic taken,

    // the data of the write command of this cycle
    input  logic writes,
    input  slot_t write_slot,
    output logic [511:0] write_data,
    output logic [63:0] write_strobes,
    input  logic written  // the data of the oldest command are in the SDRAM
);
  localparam logic [1:0] FIXED = 2'b00, WRAP = 2'b10, OKAY = 2'b00, DECERR = 2'b11;
  localparam int INDEX_BITS = $clog2(TRANSACTIONS);
  typedef logic [INDEX_BITS-1:0] index_t;

  // ---- AW and W ----

  logic busy, fails;  // a burst's address is here
  logic [ADDRESS_BITS-1:0] address;  // of its next beat
  logic [7:0] beats_left;  // after that one
  logic [2:0] beat_size;
  logic [1:0] burst;
  logic [11:0] wrap_mask;
  logic has_beat, beat_last;
  logic [511:0] beat_data, gathered;
  logic [63:0] beat_strobes, gathered_strobes;
  slot_t next_slot;
  logic [SLOTS-1:0] used;
  index_t head, tail;
  logic [INDEX_BITS:0] count;

  wire [11:0] stepped = (address[11:0] & ~((12'd1 << beat_size) - 12'd1)) + (12'd1 << beat_size);
  wire [11:0] next_address = burst == FIXED ? address[11:0] :
                             burst == WRAP ? (address[11:0] & ~wrap_mask) | (stepped & wrap_mask) : stepped;
  wire completes = beats_left == 0 || next_address[11:6] != address[11:6];
  wire works = busy && has_beat;
  assign asks = works && completes && !fails && !used[next_slot];
  assign word = address[ADDRESS_BITS-1:6];
  assign slot = next_slot;
  wire moves = works && (fails || !completes || taken);
  wire ends = moves && beats_left == 0;
  wire room = count != (INDEX_BITS + 1)'(TRANSACTIONS);
  assign awready = room && (!busy || ends);
  assign wready = !has_beat || moves;
  wire accepts = awvalid && awready;

  logic [511:0] merged;
  always_comb begin
    merged = 512'b0;
    if (works)
      for (int i = 0; i < 64; i++)
        merged[8*i+:8] = beat_strobes[i] ? beat_data[8*i+:8] : gathered[8*i+:8];
  end

  // ---- buffered words, and who waits for them ----

  logic [511:0] data[SLOTS];
  logic [63:0] strobes[SLOTS];
  index_t owner[SLOTS];
  slot_t written_slots[SLOTS];  // commands whose data are on their way
  slot_t written_first, written_last;
  always_comb begin
    write_data = 512'b0;
    write_strobes = 64'b0;
    if (writes) begin
      write_data = data[write_slot];
      write_strobes = strobes[write_slot];
    end
  end
  wire slot_t written_slot = written_slots[written_first];
  wire index_t written_owner = owner[written_slot];

  logic [ID_BITS-1:0] ids[TRANSACTIONS];
  logic [6:0] words[TRANSACTIONS];  // not yet written
  logic [TRANSACTIONS-1:0] open, complete, failed, blocked;
  index_t blocker[TRANSACTIONS];
  index_t gathering;  // the transaction whose beats are coming
  wire retires = count != 0 && !open[head];

  logic has_same;
  index_t same, looked_at;
  always_comb begin
    has_same = 1'b0;
    same = 0;
    looked_at = 0;
    if (awvalid)
      for (int i = TRANSACTIONS; i > 0; i--) begin
        looked_at = tail - index_t'(i);
        if (open[looked_at] && ids[looked_at] == awid) begin
          has_same = 1'b1;
          same = looked_at;
        end
      end
  end

  // ---- B ----

  logic any_ready;
  index_t first_ready, chosen;
  always_comb begin
    any_ready = 1'b0;
    first_ready = 0;
    chosen = 0;
    if ((open & complete) != 0)
      for (int i = TRANSACTIONS - 1; i >= 0; i--) begin
        chosen = head + index_t'(i);
        if (open[chosen] && complete[chosen] && !blocked[chosen] && words[chosen] == 0) begin
          any_ready = 1'b1;
          first_ready = chosen;
        end
      end
  end
  wire answers = any_ready && (!bvalid || bready);

  always_ff @(posedge clk) begin
    if (wready) has_beat <= wvalid;
    if (wvalid && wready) begin
      beat_data <= wdata;
      beat_strobes <= wstrb;
      beat_last <= wlast;
    end
    if (moves) begin
      gathered <= merged;
      gathered_strobes <= completes ? 64'b0 : gathered_strobes | beat_strobes;
      address[11:0] <= next_address;
      beats_left <= beats_left - 1'b1;
      if (ends) begin
        busy <= 1'b0;
        complete[gathering] <= 1'b1;
      end
    end
    if (taken) begin
      data[next_slot] <= merged;
      strobes[next_slot] <= gathered_strobes | beat_strobes;
      owner[next_slot] <= gathering;
      used[next_slot] <= 1'b1;
      next_slot <= next_slot + 1'b1;
    end
    if (taken || written) begin
      if (!(taken && written && gathering == written_owner)) begin
        if (taken) words[gathering] <= words[gathering] + 1'b1;
        if (written) words[written_owner] <= words[written_owner] - 1'b1;
      end
    end
    if (writes) begin
      written_slots[written_last] <= write_slot;
      written_last <= written_last + 1'b1;
    end
    if (written) begin
      used[written_slot] <= 1'b0;
      written_first <= written_first + 1'b1;
    end

    if (accepts) begin
      busy <= 1'b1;
      fails <= awaddr >= size;
      address <= awaddr;
      beats_left <= awlen;
      beat_size <= awsize;
      burst <= awburst;
      wrap_mask <= ((12'(awlen) + 12'd1) << awsize) - 12'd1;
      gathering <= tail;
      ids[tail] <= awid;
      words[tail] <= 0;
      open[tail] <= 1'b1;
      complete[tail] <= 1'b0;
      failed[tail] <= awaddr >= size;
      blocked[tail] <= has_same && !(answers && first_ready == same);
      blocker[tail] <= same;
      tail <= tail + 1'b1;
    end
    if (retires) head <= head + 1'b1;
    count <= count + (INDEX_BITS + 1)'(accepts) - (INDEX_BITS + 1)'(retires);

    if (bready) bvalid <= 1'b0;
    if (answers) begin
      bvalid <= 1'b1;
      bid <= ids[first_ready];
      bresp <= failed[first_ready] ? DECERR : OKAY;
      open[first_ready] <= 1'b0;
      for (int i = 0; i < TRANSACTIONS; i++)
        if (blocker[i] == first_ready && !(accepts && tail == index_t'(i))) blocked[i] <= 1'b0;
    end

    if (!resetn) begin
      busy <= 1'b0;
      has_beat <= 1'b0;
      gathered_strobes <= 0;
      next_slot <= 0;
      used <= 0;
      written_first <= 0;
      written_last <= 0;
      count <= 0;
      head <= 0;
      tail <= 0;
      open <= 0;
      blocked <= 0;
      bvalid <= 1'b0;
    end
  end

`ifdef VERILATOR
  logic waited;
  logic [$bits({bid, bresp})-1:0] was;
  always_ff @(posedge clk) begin
    waited <= resetn && bvalid && !bready;
    was <= {bid, bresp};
    if (resetn) begin
      if (works) assert (beat_last == (beats_left == 0));
      if (waited) assert (bvalid && {bid, bresp} == was);
      if (writes) assert (used[write_slot]);
      if (written) assert (used[written_slot]);
    end
  end
`endif
endmodule
