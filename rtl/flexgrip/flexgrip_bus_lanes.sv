// SPDX-License-Identifier: Apache-2.0
// Global memory on the bus: the accesses of the lanes of a row, one after the other, each a transaction
// of its own.  A lane is checked when its turn comes: those before one that fails have had their
// access.
module flexgrip_bus_lanes
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
#(
    parameter int SPS = 8,
    localparam int LANE_BITS = $clog2(SPS)
) (
    input logic clock,
    input logic reset,
    input logic null_page,  // accesses to the first 256 bytes fail

    input  logic                      start,
    input  logic [SPS-1:0]            lanes,
    input  logic [SPS-1:0][31:0]      addresses,  // with start
    input  logic [4:0]                bytes,
    input  logic [3:0][SPS-1:0][31:0] stored,     // words
    output logic                      done,       // for a cycle: all have had their access
    output logic                      faults,     // or one has failed
    output cause_t                    cause,
    output logic [LANE_BITS-1:0]      lane,
    output logic [31:0]               address,
    output logic [3:0][SPS-1:0][31:0] loaded,     // words
    // What the bus took; each lane takes three cycles more.  Zero where a row begins.
    input  logic                      clear_cycles,
    output logic [31:0]               cycles,

    // The port, from the request until the answer
    output logic             request,
    output logic [3:0][31:0] data,
    input  logic             answered,
    input  logic             error,
    input  logic [3:0][31:0] answer
);
  logic running;
  logic [SPS-1:0] left;
  logic [SPS-1:0][31:0] held;

  always_comb begin
    lane = '0;
    for (int i = SPS - 1; i >= 0; i--) if (left[i]) lane = LANE_BITS'(i);
    for (int word = 0; word < 4; word++) data[word] = stored[word][lane];
  end
  assign address = held[lane];
  wire misaligned = (address & (32'(bytes) - 32'd1)) != 32'd0;
  wire null_pointer = null_page && address < 32'd256;
  wire turn = running && left != '0;
  assign request = turn && !misaligned && !null_pointer;
  assign faults = turn && (misaligned || null_pointer || (answered && error));
  assign cause = misaligned ? CAUSE_MISALIGNED : null_pointer ? CAUSE_NULL_PAGE : CAUSE_BUS_ERROR;
  assign done = running && left == '0;

  always_ff @(posedge clock) begin
    if (request) cycles <= answered ? cycles - 32'd2 : cycles + 32'd1;
    if (request && answered) begin
      left[lane] <= 1'b0;
      for (int i = 0; i < SPS; i++)
        if (lane == LANE_BITS'(i)) for (int word = 0; word < 4; word++) loaded[word][i] <= answer[word];
    end
    if (done) running <= 1'b0;
    if (start) begin
      running <= 1'b1;
      left <= lanes;
      held <= addresses;
      loaded <= '0;
    end
    if (clear_cycles) cycles <= 32'd0;
    if (reset) running <= 1'b0;
  end
endmodule
