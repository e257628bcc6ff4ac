// SPDX-License-Identifier: Apache-2.0
// The reads of an AXI4 port with words of one SDRAM burst: AR becomes requests, one for each word
// that the burst touches; what comes back, in any order, goes out on R.  Responses with the same ID
// keep their order, others overtake; read data of two bursts are not interleaved.
module ddr3_read_port
  import ddr3_package::*;
#(
    parameter int ADDRESS_BITS = 40,
    parameter int ID_BITS = 16,
    parameter int TRANSACTIONS = 16  // under way at once
) (
    input logic clk,
    input logic resetn,

    input  logic [ID_BITS-1:0] arid,
    input  logic [ADDRESS_BITS-1:0] araddr,
    input  logic [7:0] arlen,
    input  logic [2:0] arsize,
    input  logic [1:0] arburst,
    input  logic arvalid,
    output logic arready,
    output logic [ID_BITS-1:0] rid,
    output logic [511:0] rdata,
    output logic [1:0] rresp,
    output logic rlast,
    output logic rvalid,
    input  logic rready,

    input logic [ADDRESS_BITS-1:0] size,  // of the memory, bytes; beyond it is DECERR

    // a request for a word, until it is taken
    output logic asks,
    output logic [ADDRESS_BITS-7:0] word,
    output slot_t slot,
    input  logic taken,

    input logic returns,
    input slot_t returned_slot,
    input logic [511:0] returned_data
);
  localparam logic [1:0] FIXED = 2'b00, WRAP = 2'b10, OKAY = 2'b00, DECERR = 2'b11;
  localparam int INDEX_BITS = $clog2(TRANSACTIONS);
  typedef logic [INDEX_BITS-1:0] index_t;
  typedef logic [ADDRESS_BITS-7:0] word_t;

  // ---- AR: the words of a burst, one a cycle ----

  logic busy;
  word_t wrap_words;  // bits of the word's number that wrap
  logic [7:0] words_left;
  slot_t next_slot;
  logic [6:0] free_slots;
  logic [INDEX_BITS:0] count;
  wire ends = taken && words_left == 1;
  assign asks = busy && free_slots != 0;
  assign slot = next_slot;
  assign arready = count != (INDEX_BITS + 1)'(TRANSACTIONS) && (!busy || ends);
  wire accepts = arvalid && arready;
  wire fails = araddr >= size;

  // Of all beats together, and from the first one's own address on.
  wire [14:0] total = (15'(arlen) + 15'd1) << arsize;
  wire [5:0] into_word = (araddr[5:0] >> arsize) << arsize;
  wire [14:0] last_byte = total - 15'd1;
  /* verilator lint_off UNUSEDSIGNAL */
  wire [14:0] past_word = {9'b0, into_word} + last_byte;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [7:0] words;
  always_comb
    if (arburst == FIXED) words = 8'd1;
    else if (arburst != WRAP) words = past_word[13:6] + 8'd1;
    else if (total <= 64) words = 8'd1;
    // one that begins inside of a word comes back to it
    else words = total[13:6] + (into_word != 0 ? 8'd1 : 8'd0);

  // ---- transactions under way ----

  typedef struct packed {
    logic [ID_BITS-1:0] id;
    logic [11:0] address;
    logic [7:0] len;
    logic [2:0] size;
    logic [1:0] burst;
    logic fails;
    slot_t slot;  // the first
  } transaction_t;
  transaction_t transactions[TRANSACTIONS];
  // not yet answered; by an older one with the same ID; with an error
  logic [TRANSACTIONS-1:0] open, blocked, failing;
  index_t blocker[TRANSACTIONS];
  index_t head, tail;
  logic [6:0] words_of[TRANSACTIONS];
  wire retires = count != 0 && !open[head];

  // The youngest one with the same ID.
  logic has_same;
  index_t same, looked_at;
  always_comb begin
    has_same = 1'b0;
    same = 0;
    looked_at = 0;
    if (arvalid)
      for (int i = TRANSACTIONS; i > 0; i--) begin
        looked_at = tail - index_t'(i);
        if (open[looked_at] && transactions[looked_at].id == arid) begin
          has_same = 1'b1;
          same = looked_at;
        end
      end
  end

  // ---- R ----

  logic [511:0] data[SLOTS];
  logic [SLOTS-1:0] filled;
  logic sending;
  index_t sent, first_ready, chosen;
  logic any_ready;
  always_comb begin
    any_ready = 1'b0;
    first_ready = 0;
    chosen = 0;
    if (open != 0 && (filled != 0 || failing != 0))
      for (int i = TRANSACTIONS - 1; i >= 0; i--) begin
        chosen = head + index_t'(i);
        if (open[chosen] && !blocked[chosen] &&
            (failing[chosen] || filled[transactions[chosen].slot])) begin
          any_ready = 1'b1;
          first_ready = chosen;
        end
      end
  end
  // The transaction whose beat comes next, and where that beat lies.
  wire index_t current = sending ? sent : first_ready;
  transaction_t now;
  assign now = transactions[current];
  logic [7:0] beat_sent;
  logic [11:0] address_sent;
  slot_t slot_sent;
  wire [7:0] beat = sending ? beat_sent : 8'd0;
  wire [11:0] address = sending ? address_sent : now.address;
  wire slot_t beat_slot = sending ? slot_sent : now.slot;
  wire is_last = beat == now.len;
  wire goes = (sending ? now.fails || filled[beat_slot] : any_ready) && (!rvalid || rready);
  wire [11:0] wrap_mask = ((12'(now.len) + 12'd1) << now.size) - 12'd1;
  wire [11:0] stepped = (address & ~((12'd1 << now.size) - 12'd1)) + (12'd1 << now.size);
  wire [11:0] next_address = now.burst == FIXED ? address :
                             now.burst == WRAP ? (address & ~wrap_mask) | (stepped & wrap_mask) : stepped;
  wire next_word = next_address[11:6] != address[11:6];

  always_ff @(posedge clk) begin
    if (taken) begin
      word <= (word & ~wrap_words) | ((word + 1'b1) & wrap_words);
      words_left <= words_left - 1'b1;
      next_slot <= next_slot + 1'b1;
      if (ends) busy <= 1'b0;
    end
    if (accepts) begin
      busy <= !fails;
      word <= araddr[ADDRESS_BITS-1:6];
      wrap_words <= arburst == WRAP ? word_t'(last_byte[14:6]) : ~word_t'(0);
      words_left <= words;
      transactions[tail] <= {
        arid, araddr[11:0], arlen, arsize, arburst, fails, next_slot + slot_t'(taken)
      };
      words_of[tail] <= fails ? 7'd0 : words[6:0];
      open[tail] <= 1'b1;
      failing[tail] <= fails;
      blocked[tail] <= has_same && !(goes && is_last && current == same);
      blocker[tail] <= same;
      tail <= tail + 1'b1;
    end
    if (retires) head <= head + 1'b1;
    count <= count + (INDEX_BITS + 1)'(accepts) - (INDEX_BITS + 1)'(retires);
    free_slots <= free_slots - 7'(taken) + (retires ? words_of[head] : 7'd0);

    if (returns) begin
      data[returned_slot] <= returned_data;
      filled[returned_slot] <= 1'b1;
    end

    if (rready) rvalid <= 1'b0;
    if (goes) begin
      rvalid <= 1'b1;
      rid <= now.id;
      rdata <= now.fails ? 512'b0 : data[beat_slot];
      rresp <= now.fails ? DECERR : OKAY;
      rlast <= is_last;
      sending <= !is_last;
      sent <= current;
      if (!now.fails && (is_last || next_word)) filled[beat_slot] <= 1'b0;
      beat_sent <= beat + 1'b1;
      address_sent <= next_address;
      slot_sent <= next_word ? beat_slot + 1'b1 : beat_slot;
      if (is_last) begin
        open[current] <= 1'b0;
        failing[current] <= 1'b0;
        for (int i = 0; i < TRANSACTIONS; i++)
          if (blocker[i] == current && !(accepts && tail == index_t'(i))) blocked[i] <= 1'b0;
      end
    end

    if (!resetn) begin
      busy <= 1'b0;
      next_slot <= 0;
      free_slots <= 7'(SLOTS);
      count <= 0;
      head <= 0;
      tail <= 0;
      open <= 0;
      blocked <= 0;
      failing <= 0;
      filled <= 0;
      sending <= 1'b0;
      rvalid <= 1'b0;
    end
  end

`ifdef VERILATOR
  logic waited;
  logic [$bits({rdata, rid, rlast})-1:0] was;
  wire [6:0] asked = words_of[current];
  always_ff @(posedge clk) begin
    waited <= resetn && rvalid && !rready;
    if (rvalid && !rready) was <= {rdata, rid, rlast};
    if (resetn) begin
      if (waited) assert (rvalid && {rdata, rid, rlast} == was);
      assert (free_slots <= 7'(SLOTS));
      if (returns) assert (!filled[returned_slot]);
      if (taken) assert (asks);
      // AR has asked for as many words as R takes.
      if (goes && is_last && !now.fails) assert (beat_slot - now.slot == slot_t'(asked - 7'd1));
    end
  end
`endif
endmodule
