// SPDX-License-Identifier: Apache-2.0
// Loads for the lanes of a row, one lane after the other and one byte in a cycle, or one value for all
// of them.  Memory answers in the next cycle.
module flexgrip_lane_loader #(
    parameter int SPS = 8
) (
    input logic clock,
    input logic reset,

    input  logic                 start,
    input  logic                 uniform,  // the address of lane 0 for all
    input  logic [SPS-1:0]       lanes,
    input  logic [SPS-1:0][31:0] addresses,
    input  logic [4:0]           bytes,
    output logic                 done,  // for a cycle, when data is there

    output logic [3:0][SPS-1:0][31:0] data,  // words

    output logic        read,
    output logic [31:0] address,
    input  logic [7:0]  read_data
);
  localparam int LANE_BITS = $clog2(SPS);
  logic running, answer, answers_all, ends;  // ends: the last answer comes in
  logic [LANE_BITS-1:0] lane, answer_lane;
  logic [3:0] at, answer_at;

  assign read = running && (uniform || lanes[lane]);
  assign address = addresses[lane] + {28'b0, at};
  wire last_byte = {1'b0, at} + 5'd1 == bytes;

  always_ff @(posedge clock) begin
    ends <= 1'b0;
    done <= ends;
    answer <= read;
    answers_all <= uniform;
    answer_lane <= lane;
    answer_at <= at;
    if (running) begin
      at <= at + 4'd1;
      if (!read || last_byte) begin
        at <= 4'd0;
        lane <= lane + LANE_BITS'(1);
        if (uniform || lane == LANE_BITS'(SPS - 1)) begin
          running <= 1'b0;
          ends <= 1'b1;
        end
      end
    end
    if (start) begin
      running <= 1'b1;
      lane <= '0;
      at <= 4'd0;
      data <= '0;
    end
    // Each byte has an enable; a place that is computed would be a shifter of all of them.
    if (answer)
      for (int word = 0; word < 4; word++)
        if (answer_at[3:2] == 2'(word))
          for (int i = 0; i < SPS; i++)
            if (answers_all || answer_lane == LANE_BITS'(i))
              for (int part = 0; part < 4; part++)
                if (answer_at[1:0] == 2'(part)) data[word][i][part*8+:8] <= read_data;
    if (reset) running <= 1'b0;
  end
endmodule
