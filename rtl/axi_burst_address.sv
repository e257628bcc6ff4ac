// SPDX-License-Identifier: Apache-2.0
// The address of a burst's next beat (IHI 0022 A3.4.2), of a bus of 32 bits.
module axi_burst_address (
    input  logic [31:0] address,  // of this beat
    input  logic [ 7:0] len,
    input  logic [ 2:0] size,
    input  logic [ 1:0] burst,
    output logic [31:0] next
);
  localparam [1:0] FIXED = 2'b00, WRAP = 2'b10;
  logic [31:0] bytes, following, block;

  assign bytes = 32'd1 << size;
  assign following = (address & ~(bytes - 1)) + bytes;
  assign block = ((32'(len) + 1) << size) - 1;  // all ones below the size of a wrapping burst
  always_comb
    case (burst)
      FIXED: next = address;
      WRAP: next = (address & ~block) | (following & block);
      default: next = following;
    endcase
endmodule
