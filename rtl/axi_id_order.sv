// SPDX-License-Identifier: Apache-2.0
// Keeps a master's transactions of one ID and direction at one target at a time, so that their
// responses come back in order (IHI 0022 A5.3) without anybody comparing them; and limits how many
// are under way in all.
module axi_id_order #(
    parameter ID = 4,
    parameter TARGET = 4,
    parameter OUTSTANDING = 8
) (
    input  logic              aclk,
    input  logic              aresetn,
    input  logic [    ID-1:0] id,          // of the next one
    input  logic [TARGET-1:0] target,
    output logic              may,         // go on
    input  logic              begun,       // it does
    input  logic              ended,
    input  logic [    ID-1:0] ended_id
);
  localparam COUNT = $clog2(OUTSTANDING + 1);
  logic [COUNT-1:0] all;
  logic [COUNT-1:0] count[2**ID];
  logic [TARGET-1:0] place[2**ID];

  assign may = all != COUNT'(OUTSTANDING) && (count[id] == 0 || place[id] == target);

  always_ff @(posedge aclk) begin
    all <= all + COUNT'(begun) - COUNT'(ended);
    if (begun) place[id] <= target;
    if (!(begun && ended && id == ended_id)) begin
      if (begun) count[id] <= count[id] + 1;
      if (ended) count[ended_id] <= count[ended_id] - 1;
    end
    if (!aresetn) begin
      all <= 0;
      for (int i = 0; i < 2 ** ID; i++) count[i] <= 0;
    end
  end

`ifdef VERILATOR
  // A response is one of something that is under way.
  always_ff @(posedge aclk)
    if (aresetn) begin
      if (ended) assert (count[ended_id] != 0);
      if (begun) assert (may);
    end
`endif
endmodule
