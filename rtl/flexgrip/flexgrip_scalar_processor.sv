// SPDX-License-Identifier: Apache-2.0
// A scalar processor: computes one lane of a row in the cycle in which it is told to, and keeps the
// result until the next.  What the special function unit has computed for its lane is kept here, too.
// A module of its own so that synthesis sees it once, whatever their number.
module flexgrip_scalar_processor
  import flexgrip_pkg::*;
  import flexgrip_alu_pkg::*;
#(
    parameter bit FLOATING_POINT = 1'b1,
    parameter bit MULTIPLIER = 1'b1,
    parameter bit THREE_OPERANDS = 1'b1
) (
    input logic clock,

    input logic        computes,
    input decoded_t    instruction,
    input logic [31:0] a, b, c,
    input logic [3:0]  flags,  // of the condition register that is read: O C S Z
    input logic [31:0] physical_id,
    input logic [31:0] issued,  // the cycle
    input logic        flush_denormals,

    input logic        takes_special,
    input logic [31:0] special_result,

    output lane_t result
);
  lane_state_t state;
  assign state = '{flags, physical_id, issued, MULTIPLIER};
  wire [31:0] third = THREE_OPERANDS ? c : 32'b0;

  always_ff @(posedge clock)
    if (takes_special) result <= {special_result, 4'b0};
    else if (computes) begin
      if (FLOATING_POINT && computes_floats(instruction))
        result <= execute_float_lane(instruction, a, b, third, flush_denormals);
      else result <= execute_lane(instruction, a, b, third, state);
    end
endmodule
