// SPDX-License-Identifier: Apache-2.0
// The fetch stage of an SM: one or two words of the code for the first row of an instruction; the
// other rows follow it, each when the one before has left.  Code memory answers in the next cycle.
module flexgrip_fetch
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
  import flexgrip_timing_pkg::*;
#(
    parameter int SPS = 8,
    parameter int CODE_BYTES = 262144,  // room
    localparam int ROWS = 32 / SPS
) (
    input logic clock,
    input logic reset,
    input logic [63:0] cycle,
    input logic [31:0] code_bytes,
    input logic [7:0] timing_fetch_long, timing_fetch_short,

    input  logic        issue,
    input  logic [4:0]  warp,
    input  logic [31:0] pc,
    output logic        busy,             // a warp cannot be issued
    output logic        row_issued,       // entered the stage with the last edge
    output logic        last_row_issued,

    output logic                          code_enable,
    output logic [$clog2(CODE_BYTES)-1:2] code_word,
    input  logic [31:0]                   code_data,

    output logic        leaves,  // at the next edge
    input  logic        next_free,
    output logic [31:0] word0,
    output logic [31:0] word1,
    output logic        has_second,
    output logic        outside,  // of the code
    output row_info_t   info      // but for what decoding adds
);
  logic valid, between;  // between: a row has left, the next is issued with the next edge
  logic [15:0] count;
  logic [31:0] first_word, second_word;
  logic [1:0] row;

  assign busy = valid || between;
  assign outside = info.pc[1:0] != 2'b0 || info.pc >= code_bytes;
  assign has_second = info.pc + 32'd4 < code_bytes;

  // The second word is asked for before the first has said that there is one.
  assign code_enable = valid && row == 2'd0 && count < 16'd2;
  assign code_word = info.pc[$clog2(CODE_BYTES)-1:2] + ($clog2(CODE_BYTES)-2)'(count[0]);
  assign word0 = count == 16'd1 ? code_data : first_word;
  assign word1 = count == 16'd2 ? code_data : second_word;
  wire is_short = !word0[0] && !outside;
  wire [15:0] cost = row != 2'd0 ? 16'(FETCH_ROW) : is_short ? 16'(timing_fetch_short) : 16'(timing_fetch_long);
  wire has_words = row != 2'd0 || count >= (is_short ? 16'd1 : 16'd2);
  assign leaves = valid && has_words && count >= cost && next_free;

  always_ff @(posedge clock) begin
    row_issued <= 1'b0;
    last_row_issued <= 1'b0;
    if (valid) begin
      if (count != 16'hffff) count <= count + 16'd1;
      if (row == 2'd0 && count == 16'd1) first_word <= code_data;
      if (row == 2'd0 && count == 16'd2) second_word <= code_data;
    end
    if (leaves) begin
      valid <= 1'b0;
      between <= !info.last;
    end
    if (issue || between) begin
      valid <= 1'b1;
      between <= 1'b0;
      count <= 16'd0;
      row_issued <= 1'b1;
      last_row_issued <= ROWS == 1 || (between && row == 2'(ROWS - 2));
      row <= issue ? 2'd0 : row + 2'd1;
      info.row <= issue ? 2'd0 : row + 2'd1;
      info.first <= issue;
      info.last <= ROWS == 1 || (between && row == 2'(ROWS - 2));
      info.row_issued <= cycle + 64'd1;
    end
    if (issue) begin
      info.instruction <= '0;
      info.costs <= '0;
      info.pc <= pc;
      info.warp <= warp;
      info.issued <= cycle + 64'd1;
    end
    if (reset) begin
      valid <= 1'b0;
      between <= 1'b0;
    end
  end
endmodule
