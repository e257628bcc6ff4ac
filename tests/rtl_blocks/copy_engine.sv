// SPDX-License-Identifier: Apache-2.0
// Copies words between addresses of a bus: registers behind AXI4-Lite (from, to, words, start), a
// port that reads alone and one that writes alone, in bursts of up to 16 beats, and an interrupt at
// the end that reading the state takes back.
module copy_engine (
    input logic s_axil_aclk, s_axil_aresetn, m00_axi_aclk, m00_axi_aresetn,
    input logic [5:0] s_axil_awaddr, s_axil_araddr, input logic s_axil_awvalid, s_axil_arvalid,
    output logic s_axil_awready, s_axil_arready,
    input logic [31:0] s_axil_wdata, input logic [3:0] s_axil_wstrb, input logic s_axil_wvalid,
    output logic s_axil_wready, output logic [1:0] s_axil_bresp, s_axil_rresp,
    output logic s_axil_bvalid, s_axil_rvalid, input logic s_axil_bready, s_axil_rready,
    output logic [31:0] s_axil_rdata,

    output logic [31:0] m00_axi_araddr, output logic [7:0] m00_axi_arlen, output logic [2:0] m00_axi_arsize,
    output logic [1:0] m00_axi_arburst, output logic m00_axi_arvalid, input logic m00_axi_arready,
    input logic [31:0] m00_axi_rdata, input logic [1:0] m00_axi_rresp, input logic m00_axi_rlast,
    m00_axi_rvalid, output logic m00_axi_rready,

    output logic [31:0] m01_axi_awaddr, output logic [7:0] m01_axi_awlen, output logic [2:0] m01_axi_awsize,
    output logic [1:0] m01_axi_awburst, output logic m01_axi_awvalid, input logic m01_axi_awready,
    output logic [31:0] m01_axi_wdata, output logic [3:0] m01_axi_wstrb, output logic m01_axi_wlast,
    m01_axi_wvalid, input logic m01_axi_wready, input logic [1:0] m01_axi_bresp, input logic m01_axi_bvalid,
    output logic m01_axi_bready,
    output logic done_irq
);
  localparam int MOST = 16;
  logic [31:0] from, to, words;
  logic failed, busy;
  logic [31:0] buffer[MOST];
  logic [4:0] beats, filled, sent;
  typedef enum logic [2:0] {IDLE, ASK, FILL, TELL, SEND, WAIT} step_t;
  step_t step;
  // no burst crosses 4 KiB (IHI 0022 A3.4.1)
  function automatic logic [4:0] most(input logic [31:0] address, input logic [31:0] wanted);
    logic [10:0] room;
    room = 11'd1024 - {1'b0, address[11:2]};
    most = wanted < MOST ? wanted[4:0] : 5'(MOST);
    if (room < {6'b0, most}) most = room[4:0];
  endfunction
  wire [4:0] room_from = most(from, words), room_to = most(to, words);
  assign busy = step != IDLE;

  wire write = s_axil_awvalid & s_axil_wvalid & (~s_axil_bvalid | s_axil_bready);
  assign s_axil_awready = write, s_axil_wready = write;
  assign s_axil_arready = ~s_axil_rvalid | s_axil_rready;
  assign s_axil_bresp = 2'b00, s_axil_rresp = 2'b00;
  assign m00_axi_araddr = from, m00_axi_arlen = {3'b0, beats - 5'd1}, m00_axi_arsize = 3'd2, m00_axi_arburst = 2'b01;
  assign m00_axi_arvalid = step == ASK, m00_axi_rready = step == FILL;
  assign m01_axi_awaddr = to, m01_axi_awlen = {3'b0, beats - 5'd1}, m01_axi_awsize = 3'd2, m01_axi_awburst = 2'b01;
  assign m01_axi_awvalid = step == TELL, m01_axi_bready = step == WAIT;
  assign m01_axi_wdata = buffer[sent[3:0]], m01_axi_wstrb = 4'hf, m01_axi_wvalid = step == SEND;
  assign m01_axi_wlast = sent == beats - 5'd1;

  always_ff @(posedge s_axil_aclk) begin
    if (s_axil_bready) s_axil_bvalid <= 1'b0;
    if (write) begin
      s_axil_bvalid <= 1'b1;
      if (~busy)
        case (s_axil_awaddr[5:2])
          4'd0: from <= s_axil_wdata;
          4'd1: to <= s_axil_wdata;
          4'd2: words <= s_axil_wdata;
          4'd3: if (words != 0) begin
            step <= ASK;
            beats <= room_from < room_to ? room_from : room_to;
            failed <= 1'b0;
          end
          default: ;
        endcase
    end
    if (s_axil_rready) s_axil_rvalid <= 1'b0;
    if (s_axil_arvalid & s_axil_arready) begin
      s_axil_rvalid <= 1'b1;
      s_axil_rdata <= {29'b0, failed, done_irq, busy};
      done_irq <= 1'b0;
    end
    case (step)
      ASK: if (m00_axi_arready) begin
        step <= FILL;
        filled <= 5'd0;
      end
      FILL: if (m00_axi_rvalid) begin
        buffer[filled[3:0]] <= m00_axi_rdata;
        filled <= filled + 5'd1;
        failed <= failed | m00_axi_rresp[1];
        if (m00_axi_rlast) step <= TELL;
      end
      TELL: if (m01_axi_awready) begin
        step <= SEND;
        sent <= 5'd0;
      end
      SEND: if (m01_axi_wready) begin
        sent <= sent + 5'd1;
        if (m01_axi_wlast) begin
          step <= WAIT;
          from <= from + {25'b0, beats, 2'b0};
          to <= to + {25'b0, beats, 2'b0};
          words <= words - {27'b0, beats};
        end
      end
      WAIT: if (m01_axi_bvalid) begin
        failed <= failed | m01_axi_bresp[1];
        beats <= room_from < room_to ? room_from : room_to;
        step <= words == 0 ? IDLE : ASK;
        if (words == 0) done_irq <= 1'b1;
      end
      default: ;
    endcase
    if (~s_axil_aresetn) begin
      {s_axil_bvalid, s_axil_rvalid, done_irq} <= '0;
      step <= IDLE;
    end
  end
endmodule
