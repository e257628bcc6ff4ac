// SPDX-License-Identifier: Apache-2.0
// Shared memory of an SM: bytes, zero when a batch of blocks begins (flexgrip_written knows which words
// have been written since).  One port to read a byte, whose answer comes in the next cycle, one to
// write bytes of a word.
module flexgrip_shared_memory #(
    parameter int BYTES = 16384,
    localparam int WORDS = BYTES / 4,
    localparam int WORD_BITS = $clog2(WORDS)
) (
    input logic clock,
    input logic clear,

    input  logic                 read,
    input  logic [WORD_BITS-1:0] read_word,
    input  logic [1:0]           read_byte,
    output logic [7:0]           read_data,

    input logic                 write,
    input logic [WORD_BITS-1:0] write_word,
    input logic [3:0]           write_bytes,
    input logic [31:0]          write_data
);
  // A block RAM, as the register file is
  logic [3:0][7:0] memory[WORDS];
  logic [3:0][7:0] word;
  logic [1:0] asked;
  logic was_written;
  assign read_data = was_written ? word[asked] : 8'b0;

  logic read_written, write_written;
  flexgrip_written #(WORDS) written (
      .clock, .clear, .read_word, .read_written, .write, .write_word, .write_written);
  wire fills = !write_written;
  always_ff @(posedge clock) begin
    if (read) begin
      word <= memory[read_word];
      asked <= read_byte;
      was_written <= read_written;
    end
    if (write)
      for (int i = 0; i < 4; i++)
        if (write_bytes[i] || fills) memory[write_word][i] <= write_bytes[i] ? write_data[i*8+:8] : 8'b0;
  end
endmodule
