// SPDX-License-Identifier: Apache-2.0
// Stores of the lanes of a row, one lane after the other and one byte in a cycle.
module flexgrip_lane_storer #(
    parameter int SPS = 8
) (
    input logic clock,
    input logic reset,

    input  logic                      start,
    input  logic [SPS-1:0]            lanes,
    input  logic [SPS-1:0][31:0]      addresses,
    input  logic [4:0]                bytes,
    input  logic [3:0][SPS-1:0][31:0] data,  // words
    output logic                      busy,

    output logic        write,
    output logic [31:0] address,
    output logic [7:0]  write_data
);
  localparam int LANE_BITS = $clog2(SPS);
  logic [LANE_BITS-1:0] lane;
  logic [3:0] at;

  assign write = busy && lanes[lane];
  assign address = addresses[lane] + {28'b0, at};
  assign write_data = data[at[3:2]][lane][at[1:0]*8+:8];
  wire last_byte = {1'b0, at} + 5'd1 == bytes;

  always_ff @(posedge clock) begin
    if (busy) begin
      at <= at + 4'd1;
      if (!write || last_byte) begin
        at <= 4'd0;
        lane <= lane + LANE_BITS'(1);
        if (lane == LANE_BITS'(SPS - 1)) busy <= 1'b0;
      end
    end
    if (start) begin
      busy <= 1'b1;
      lane <= '0;
      at <= 4'd0;
    end
    if (reset) busy <= 1'b0;
  end
endmodule
