// SPDX-License-Identifier: Apache-2.0
// An AXI4 port that keeps the rules while `fault` is 0, and else breaks the one that it says.
module faulty (
    input logic clk, rst_n,
    input logic [4:0] fault,
    input logic [3:0] s_axi_awid, s_axi_arid, input logic [11:0] s_axi_awaddr, s_axi_araddr,
    input logic [7:0] s_axi_awlen, s_axi_arlen, input logic [2:0] s_axi_awsize, s_axi_arsize,
    input logic [1:0] s_axi_awburst, s_axi_arburst, input logic s_axi_awvalid, s_axi_arvalid,
    output logic s_axi_awready, s_axi_arready,
    input logic [31:0] s_axi_wdata, input logic [3:0] s_axi_wstrb, input logic s_axi_wlast, s_axi_wvalid,
    output logic s_axi_wready,
    output logic [3:0] s_axi_bid, s_axi_rid, output logic [1:0] s_axi_bresp, s_axi_rresp,
    output logic s_axi_bvalid, s_axi_rvalid, input logic s_axi_bready, s_axi_rready,
    output logic [31:0] s_axi_rdata, output logic s_axi_rlast
);
  typedef enum logic [4:0] {
    NONE, NO_AWREADY, NO_WREADY, NO_ARREADY, NO_BVALID, NO_RVALID, WRONG_BID, WRONG_RID, EARLY_RLAST, NO_RLAST,
    SECOND_B, EARLY_B, UNASKED_R, B_IN_RESET, EXOKAY_B, EXOKAY_R, FATAL, ASSERTION, FINISH, ENDLESS_R
  } fault_t;
  fault_t what;
  assign what = fault_t'(fault);

  logic writing, answer, again, reading;
  logic [3:0] bid, rid;
  logic [7:0] left;
  assign s_axi_awready = !writing && !answer && what != NO_AWREADY;
  assign s_axi_wready = writing && what != NO_WREADY;
  assign s_axi_bvalid = (answer && what != NO_BVALID) || (what == B_IN_RESET && !rst_n);
  assign s_axi_bid = what == WRONG_BID ? bid ^ 4'd8 : bid;
  assign s_axi_bresp = what == EXOKAY_B ? 2'b01 : 2'b00;
  assign s_axi_arready = !reading && what != NO_ARREADY;
  assign s_axi_rvalid = (reading && what != NO_RVALID) || (what == UNASKED_R && rst_n);
  assign s_axi_rid = what == WRONG_RID ? rid ^ 4'd8 : rid;
  assign s_axi_rresp = what == EXOKAY_R ? 2'b01 : 2'b00;
  assign s_axi_rlast = what == EARLY_RLAST || (left == 8'd0 && what != NO_RLAST && what != ENDLESS_R);
  assign s_axi_rdata = {24'd0, left};

  always_ff @(posedge clk) begin
    if (s_axi_bvalid && s_axi_bready) begin
      answer <= what == SECOND_B && !again;
      again <= !again;
    end
    if (s_axi_awvalid && s_axi_awready) begin
      writing <= 1'b1;
      bid <= s_axi_awid;
      if (what == EARLY_B) answer <= 1'b1;
    end
    if (s_axi_wvalid && s_axi_wready && s_axi_wlast) begin
      writing <= 1'b0;
      if (what != EARLY_B) answer <= 1'b1;
    end
    if (s_axi_rvalid && s_axi_rready) begin
      left <= left - 8'd1;
      if (left == 8'd0 && what != ENDLESS_R) reading <= 1'b0;
    end
    if (s_axi_arvalid && s_axi_arready) begin
      reading <= 1'b1;
      rid <= s_axi_arid;
      left <= s_axi_arlen;
    end
    if (!rst_n) {writing, answer, again, reading, left} <= '0;
    if (rst_n && s_axi_awvalid) begin
      if (what == FATAL) $fatal(1, "this block gives up");
      if (what == FINISH) $finish;
      assert (what != ASSERTION) else $error("this block asserts that nobody writes");
    end
  end
endmodule
