// SPDX-License-Identifier: Apache-2.0
// The decode stage of an SM: of the first row of an instruction, what it is and what it costs in each
// stage; the other rows are the same.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_decode
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
#(
    parameter int SPS = 8,
    parameter bit FLOATING_POINT = 1'b1,
    parameter bit MULTIPLIER = 1'b1,
    parameter bit THREE_OPERANDS = 1'b1
) (
    input logic clock,
    input logic reset,
    input configuration_t configuration,

    input  logic        enters,
    input  row_info_t   enters_info,
    input  logic [31:0] enters_word0, enters_word1,
    input  logic        enters_has_second,  // in code memory
    input  logic        enters_outside,     // the first is not
    output logic        busy,
    output logic        leaves,
    input  logic        next_free,

    output row_info_t info
);
  logic decoded, has_second, outside;
  logic [31:0] word0, word1;
  assign leaves = busy && decoded && next_free;

  always_ff @(posedge clock) begin
    decoded <= busy && !leaves;
    if (leaves) busy <= 1'b0;
    if (busy && !decoded && info.first) begin
      decoded_t d;
      d = flexgrip_decoder_pkg::decode(word0, word1, has_second, MULTIPLIER && configuration.multiplier,
                                       THREE_OPERANDS && configuration.three_operands,
                                       FLOATING_POINT && configuration.floating_point);
      if (outside) d.cause = CAUSE_CODE_OUT_OF_RANGE;
      info.instruction <= d;
      info.costs <= flexgrip_costs_pkg::costs_of(configuration.timing, d, SPS);
    end
    if (enters) begin
      busy <= 1'b1;
      decoded <= 1'b0;
      info <= enters_info;
      if (!enters_info.first) begin
        info.instruction <= info.instruction;
        info.costs <= info.costs;
      end
      word0 <= enters_word0;
      word1 <= enters_word1;
      has_second <= enters_has_second;
      outside <= enters_outside;
    end
    if (reset) busy <= 1'b0;
  end
endmodule
