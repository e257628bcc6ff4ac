// SPDX-License-Identifier: Apache-2.0
// The vector registers of an SM: a memory for each SP, a row of it for each register and each pass
// of a warp.  Registers are zero when a batch of blocks begins: a bit for each row says whether it
// has been written since (flexgrip_written); the first write fills the whole row.  One port to read, whose answer comes
// in the next cycle, and one to write.
module flexgrip_register_file #(
    parameter int SPS = 8,
    parameter int DEPTH = 1024,
    localparam int ADDRESS_BITS = $clog2(DEPTH)
) (
    input logic clock,
    input logic clear,

    input  logic                    read,
    input  logic [ADDRESS_BITS-1:0] read_address,
    output logic [SPS-1:0][31:0]    read_data,

    input logic                    write,
    input logic [ADDRESS_BITS-1:0] write_address,
    input logic [SPS-1:0]          write_lanes,
    input logic [1:0]              write_halves,  // lower, upper
    input logic [SPS-1:0][31:0]    write_data
);
  // A block RAM: one address to read and one to write, each half of a lane with an enable of its own,
  // and nothing between the word that is read and its register.
  logic [SPS*2-1:0][15:0] memory[DEPTH];
  logic [SPS*2-1:0][15:0] word;
  logic was_written;
  assign read_data = was_written ? word : '0;

  logic read_written, write_written;
  flexgrip_written #(DEPTH) written (
      .clock, .clear, .read_word(read_address), .read_written, .write, .write_word(write_address),
      .write_written);
  wire fills = !write_written;
  wire [SPS*2-1:0][15:0] halves = write_data;
  always_ff @(posedge clock) begin
    if (read) begin
      word <= memory[read_address];
      was_written <= read_written;
    end
    if (write)
      for (int lane = 0; lane < SPS; lane++)
        for (int half = 0; half < 2; half++) begin
          logic given;
          given = write_lanes[lane] && write_halves[half];
          if (given || fills)
            memory[write_address][lane*2+half] <= given ? halves[lane*2+half] : 16'b0;
        end
  end
endmodule
