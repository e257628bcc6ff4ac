// SPDX-License-Identifier: Apache-2.0
// The execute stage of an SM: the SPs compute the lanes of a row in its first cycle here; the special
// function unit, which they share, one lane in each.
module flexgrip_execute
  import g80_pkg::*;
  import flexgrip_pkg::*;
  import flexgrip_alu_pkg::*;
  import flexgrip_timing_pkg::*;
#(
    parameter int SPS = 8,
    parameter bit FLOATING_POINT = 1'b1,
    parameter bit MULTIPLIER = 1'b1,
    parameter bit THREE_OPERANDS = 1'b1
) (
    input logic clock,
    input logic reset,
    input logic [7:0] sm_number,  // of the SM
    input logic flush_denormals,

    input  logic                      enters,
    input  read_row_t                 enters_row,
    input  logic [SPS-1:0][31:0]      enters_a, enters_b, enters_c,
    input  logic [3:0][SPS-1:0][31:0] enters_wide,
    input  logic [SPS-1:0][31:0]      enters_addresses,
    output logic                      busy,
    output logic                      free,  // a cycle after the last row has left
    output logic                      leaves,
    input  logic                      next_free,

    output read_row_t                 row,
    output lane_t [SPS-1:0]           results,
    output logic [3:0][SPS-1:0][31:0] wide,
    output logic [SPS-1:0][31:0]      addresses
);
  logic [SPS-1:0][31:0] a, b, c;
  logic [15:0] count;  // of cycles, this one included
  logic computes, has_left;

  assign free = !busy && !has_left;
  wire [15:0] cost = row.info.costs.execute + row.decision.more_each +
                     (row.info.first ? row.decision.more_first : 16'd0) +
                     (subtracts ? 16'(EXECUTE_FLOAT_SUBTRACT - EXECUTE_FLOAT_ADD) : 16'd0);
  // An addition with a negative operand, of whatever lane, takes longer.
  logic subtracts;
  always_comb begin
    subtracts = 1'b0;
    for (int lane = 0; lane < SPS; lane++)
      if (row.info.instruction.cost == COST_FLOAT_ADD &&
          (a[lane][31] != row.info.instruction.source[0].negate ||
           b[lane][31] != row.info.instruction.source[1].negate))
        subtracts = 1'b1;
  end
  logic [$clog2(SPS)-1:0] special_lane;
  logic [31:0] special_result;
  wire special = FLOATING_POINT && row.info.instruction.unit == UNIT_SPECIAL;
  if (FLOATING_POINT)
    flexgrip_special_function special_function (
        .d(row.info.instruction), .operand(a[special_lane]), .result(special_result));
  else assign special_result = 32'b0;
  assign leaves = busy && !computes && next_free && count >= cost;

  for (genvar lane = 0; lane < SPS; lane++) begin : processors
    wire [4:0] thread = 5'(32'(row.info.row) * SPS + lane);
    flexgrip_scalar_processor #(FLOATING_POINT, MULTIPLIER, THREE_OPERANDS) processor (
        .clock, .computes(computes && !special), .instruction(row.info.instruction), .a(a[lane]),
        .b(b[lane]), .c(c[lane]),
        .flags({row.flags[3][thread], row.flags[2][thread], row.flags[1][thread], row.flags[0][thread]}),
        .physical_id({8'b0, sm_number, 3'b0, row.info.warp, 3'b0, thread}),
        .issued(row.info.issued[31:0]), .flush_denormals,
        .takes_special(computes && special && special_lane == $clog2(SPS)'(lane)), .special_result,
        .result(results[lane]));
  end

  always_ff @(posedge clock) begin
    if (busy && count != 16'hffff) count <= count + 16'd1;
    computes <= 1'b0;
    has_left <= leaves;
    if (leaves) busy <= 1'b0;
    if (computes && special) begin
      special_lane <= special_lane + 1'b1;
      computes <= special_lane != '1;
    end
    if (enters) begin
      busy <= 1'b1;
      computes <= 1'b1;
      special_lane <= '0;
      count <= 16'd1;
      row <= enters_row;
      a <= enters_a;
      b <= enters_b;
      c <= enters_c;
      wide <= enters_wide;
      addresses <= enters_addresses;
    end
    if (reset) begin
      busy <= 1'b0;
      has_left <= 1'b0;
    end
  end
endmodule
