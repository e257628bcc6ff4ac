// SPDX-License-Identifier: Apache-2.0
// A register slice: takes a word a cycle and gives one a cycle, with room for two, so that neither
// side's handshake depends combinationally on the other's (IHI 0022 A3.1.1).
module axi_slice #(
    parameter WIDTH = 32
) (
    input  logic             aclk,
    input  logic             aresetn,
    input  logic             in_valid,
    output logic             in_ready,
    input  logic [WIDTH-1:0] in,
    output logic             out_valid,
    input  logic             out_ready,
    output logic [WIDTH-1:0] out
);
  logic second_valid;
  logic [WIDTH-1:0] second;

  assign in_ready = !second_valid;

  always_ff @(posedge aclk) begin
    if (out_ready || !out_valid) begin
      if (second_valid || in_valid) out <= second_valid ? second : in;
      out_valid <= second_valid || in_valid;
      second_valid <= 1'b0;
    end else if (in_valid && in_ready) begin
      second_valid <= 1'b1;
      second <= in;
    end
    if (!aresetn) begin
      out_valid <= 1'b0;
      second_valid <= 1'b0;
    end
  end

`ifdef VERILATOR
  // What waits does not change (A3.2.1), and nothing overtakes.  Looked at in clocked code: concurrent
  // properties would have everything that they see sampled at both edges of the clock.
  logic waited;
  logic [WIDTH-1:0] was;
  always_ff @(posedge aclk) begin
    waited <= aresetn && out_valid && !out_ready;
    if (out_valid && !out_ready) was <= out;
    if (aresetn) begin
      if (waited) assert (out_valid && out == was);
      if (second_valid) assert (out_valid);
    end
  end
`endif
endmodule
