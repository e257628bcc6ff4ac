// SPDX-License-Identifier: Apache-2.0
// Which words of a memory have been written since it was cleared, so that those that have not can be
// taken as zero.  A bit for each, in distributed memory, 64 rows of them; what a row says is of value
// once it was written, for which it has a flip-flop: so clearing all takes one cycle.
module flexgrip_written #(
    parameter int WORDS = 1024,
    localparam int WORD_BITS = $clog2(WORDS)
) (
    input logic clock,
    input logic clear,

    input  logic [WORD_BITS-1:0] read_word,
    output logic                 read_written,

    input  logic                 write,
    input  logic [WORD_BITS-1:0] write_word,
    output logic                 write_written  // before this write
);
  localparam int ROW_BITS = 6;
  localparam int COLUMNS = (WORDS + 63) / 64;
  localparam int COLUMN_BITS = WORD_BITS - ROW_BITS;
  if (WORDS <= 64) $error("flexgrip_written: WORDS must be more than 64");

  logic [COLUMNS-1:0] bits[64];
  logic [63:0] rows;

  wire [ROW_BITS-1:0] read_row = read_word[ROW_BITS-1:0];
  wire [ROW_BITS-1:0] write_row = write_word[ROW_BITS-1:0];
  wire [COLUMN_BITS-1:0] read_column = read_word[WORD_BITS-1:ROW_BITS];
  wire [COLUMN_BITS-1:0] write_column = write_word[WORD_BITS-1:ROW_BITS];
  wire [COLUMNS-1:0] read_bits = rows[read_row] ? bits[read_row] : '0;
  wire [COLUMNS-1:0] write_bits = rows[write_row] ? bits[write_row] : '0;
  assign read_written = read_bits[read_column];
  assign write_written = write_bits[write_column];

  always_ff @(posedge clock) begin
    if (write) begin
      bits[write_row] <= write_bits | COLUMNS'(1) << write_column;
      rows[write_row] <= 1'b1;
    end
    if (clear) rows <= '0;
  end
endmodule
