// SPDX-License-Identifier: Apache-2.0
// Who is next: the first that asks, from the one behind the last winner on.  A grant that was given
// stays until `done`.
module axi_round_robin #(
    parameter N = 4,
    parameter BITS = 2
) (
    input  logic            aclk,
    input  logic            aresetn,
    input  logic [   N-1:0] request,
    input  logic            done,
    output logic            granted,
    output logic [BITS-1:0] winner
);
  logic held;
  logic [BITS-1:0] last, holder, choice;

  // Later assignments win: the nearest behind the last winner comes last.
  always_comb begin
    choice = 0;
    if (request != 0) begin
      for (int i = N - 1; i >= 0; i--) if (request[i]) choice = BITS'(i);
      for (int i = N - 1; i >= 0; i--) if (request[i] && i > 32'(last)) choice = BITS'(i);
    end
  end
  assign granted = held || request != 0;
  assign winner = held ? holder : choice;

  always_ff @(posedge aclk) begin
    if (granted) begin
      held   <= !done;
      holder <= winner;
      if (done) last <= winner;
    end
    if (!aresetn) begin
      held <= 1'b0;
      last <= BITS'(N - 1);
    end
  end

`ifdef VERILATOR
  // A winner is one that asks, unless it has been held: then it asked before.
  always_ff @(posedge aclk)
    if (aresetn && granted) begin
      assert (32'(winner) < N);
      if (!held) assert (request[winner]);
    end
`endif
endmodule
