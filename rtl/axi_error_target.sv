// SPDX-License-Identifier: Apache-2.0
// Where a master's transactions go that are for nobody: takes one of each direction at a time and
// answers it DECERR, a write after its last data, a read with all of its beats (IHI 0022 A3.4.4).
module axi_error_target #(
    parameter ID = 4
) (
    input  logic          aclk,
    input  logic          aresetn,
    input  logic          awvalid,
    output logic          awready,
    input  logic [ID-1:0] awid,
    input  logic          wvalid,
    output logic          wready,
    input  logic          wlast,
    output logic          bvalid,
    input  logic          bready,
    output logic [ID-1:0] bid,
    input  logic          arvalid,
    output logic          arready,
    input  logic [ID-1:0] arid,
    input  logic [   7:0] arlen,
    output logic          rvalid,
    input  logic          rready,
    output logic [ID-1:0] rid,
    output logic          rlast
);
  logic writing;
  logic [7:0] left;

  assign awready = !writing && !bvalid;
  assign wready = writing;
  assign arready = !rvalid;
  assign rlast = left == 0;

  always_ff @(posedge aclk) begin
    if (awvalid && awready) begin
      writing <= 1'b1;
      bid <= awid;
    end
    if (wvalid && wready && wlast) begin
      writing <= 1'b0;
      bvalid <= 1'b1;
    end
    if (bvalid && bready) bvalid <= 1'b0;
    if (arvalid && arready) begin
      rvalid <= 1'b1;
      rid <= arid;
      left <= arlen;
    end else if (rvalid && rready) begin
      left <= left - 1;
      if (rlast) rvalid <= 1'b0;
    end
    if (!aresetn) begin
      writing <= 1'b0;
      bvalid <= 1'b0;
      rvalid <= 1'b0;
    end
  end
endmodule
