// SPDX-License-Identifier: Apache-2.0
// Registers that answer, and a ring of logic that never settles while one of them is 1.
module loop (
    input logic clk, rst,
    input logic [11:0] s_axi_awaddr, s_axi_araddr, input logic s_axi_awvalid, s_axi_arvalid,
    output logic s_axi_awready, s_axi_arready,
    input logic [31:0] s_axi_wdata, input logic [3:0] s_axi_wstrb, input logic s_axi_wvalid,
    output logic s_axi_wready, output logic [1:0] s_axi_bresp, s_axi_rresp,
    output logic s_axi_bvalid, s_axi_rvalid, input logic s_axi_bready, s_axi_rready,
    output logic [31:0] s_axi_rdata
);
  logic [31:0] word;
  logic ring, back;
  assign back = ~(ring & word[0]);
  assign ring = back;
  wire write = s_axi_awvalid & s_axi_wvalid & ~s_axi_bvalid;
  assign s_axi_awready = write, s_axi_wready = write, s_axi_arready = ~s_axi_rvalid;
  assign s_axi_bresp = 2'b00, s_axi_rresp = 2'b00, s_axi_rdata = {ring, word[30:0]};
  always_ff @(posedge clk) begin
    s_axi_bvalid <= write | (s_axi_bvalid & ~s_axi_bready);
    // 2: answers nobody any more, 4: answers what nobody asked
    s_axi_rvalid <= (s_axi_arvalid & s_axi_arready & ~word[1]) | (s_axi_rvalid & ~s_axi_rready) | word[2];
    if (write) word <= s_axi_wdata;
    if (rst) {s_axi_bvalid, s_axi_rvalid, word} <= '0;
  end
endmodule
