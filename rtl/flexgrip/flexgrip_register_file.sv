// SPDX-License-Identifier: Apache-2.0
// The vector registers of an SM: a memory for each SP, a row of it for each register and each pass
// of a warp.  Registers are zero when a batch of blocks begins: a bit for each row says whether it
// has been written since; the first write fills the whole row.  One port to read, whose answer comes
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
  logic [SPS-1:0][31:0] memory[DEPTH];
  logic [DEPTH-1:0] written;

  wire old = written[write_address];
  always_ff @(posedge clock) begin
    if (read) read_data <= written[read_address] ? memory[read_address] : '0;
    if (write) begin
      for (int lane = 0; lane < SPS; lane++)
        for (int half = 0; half < 2; half++)
          if (write_lanes[lane] && write_halves[half])
            memory[write_address][lane][half*16+:16] <= write_data[lane][half*16+:16];
          else if (!old) memory[write_address][lane][half*16+:16] <= 16'b0;
      written[write_address] <= 1'b1;
    end
    if (clear) written <= '0;
  end
endmodule
