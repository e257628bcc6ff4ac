// SPDX-License-Identifier: Apache-2.0
// A RAM behind an AXI4 port as hardware generators write it: `payload` between channel and signal,
// clk and reset, Verilog-2001.  Up to four reads wait; the youngest is answered first, unless an
// older one has its ID.  Incrementing bursts of aligned words, and narrower writes.
module generated_ram (
  input  wire        io_axi_aw_valid,
  output wire        io_axi_aw_ready,
  input  wire [15:0] io_axi_aw_payload_addr,
  input  wire [3:0]  io_axi_aw_payload_id,
  input  wire [7:0]  io_axi_aw_payload_len,
  input  wire [2:0]  io_axi_aw_payload_size,
  input  wire [1:0]  io_axi_aw_payload_burst,
  input  wire        io_axi_w_valid,
  output wire        io_axi_w_ready,
  input  wire [31:0] io_axi_w_payload_data,
  input  wire [3:0]  io_axi_w_payload_strb,
  input  wire        io_axi_w_payload_last,
  output reg         io_axi_b_valid,
  input  wire        io_axi_b_ready,
  output reg  [3:0]  io_axi_b_payload_id,
  output wire [1:0]  io_axi_b_payload_resp,
  input  wire        io_axi_ar_valid,
  output wire        io_axi_ar_ready,
  input  wire [15:0] io_axi_ar_payload_addr,
  input  wire [3:0]  io_axi_ar_payload_id,
  input  wire [7:0]  io_axi_ar_payload_len,
  input  wire [2:0]  io_axi_ar_payload_size,
  input  wire [1:0]  io_axi_ar_payload_burst,
  output wire        io_axi_r_valid,
  input  wire        io_axi_r_ready,
  output wire [31:0] io_axi_r_payload_data,
  output wire [3:0]  io_axi_r_payload_id,
  output wire [1:0]  io_axi_r_payload_resp,
  output wire        io_axi_r_payload_last,
  output reg  [31:0] overtaken,
  input  wire        clk,
  input  wire        reset
);
  reg [31:0] memory [0:16383];

  // ---- writes, one at a time ----
  reg writing;
  reg [15:0] write_at;
  reg [2:0] write_size;
  assign io_axi_aw_ready = !writing && !io_axi_b_valid;
  assign io_axi_w_ready = writing;
  assign io_axi_b_payload_resp = 2'b00;
  integer lane;
  always @(posedge clk) begin
    if (io_axi_aw_valid && io_axi_aw_ready) begin
      writing <= 1'b1;
      write_at <= io_axi_aw_payload_addr;
      write_size <= io_axi_aw_payload_size;
      io_axi_b_payload_id <= io_axi_aw_payload_id;
    end
    if (io_axi_w_valid && io_axi_w_ready) begin
      for (lane = 0; lane < 4; lane = lane + 1)
        if (io_axi_w_payload_strb[lane]) memory[write_at[15:2]][8*lane +: 8] <= io_axi_w_payload_data[8*lane +: 8];
      write_at <= ((write_at >> write_size) + 16'd1) << write_size;
      if (io_axi_w_payload_last) begin
        writing <= 1'b0;
        io_axi_b_valid <= 1'b1;
      end
    end
    if (io_axi_b_valid && io_axi_b_ready) io_axi_b_valid <= 1'b0;
    if (reset) begin
      writing <= 1'b0;
      io_axi_b_valid <= 1'b0;
    end
  end

  // ---- reads: slot 0 is the oldest ----
  reg [2:0] waiting;
  reg [15:0] at [0:3];
  reg [3:0] id [0:3];
  reg [7:0] len [0:3];
  reg [2:0] size [0:3];
  reg answering;
  reg [1:0] slot;    // that is answered
  reg [1:0] choice;  // the youngest without an older one of its ID
  integer young, old;
  reg first;
  always @* begin
    choice = 2'd0;
    for (young = 0; young < 4; young = young + 1) begin
      first = young < waiting;
      for (old = 0; old < young; old = old + 1) if (id[old] == id[young]) first = 1'b0;
      if (first) choice = young[1:0];
    end
  end
  assign io_axi_ar_ready = waiting < 3'd4 && !answering;
  assign io_axi_r_valid = answering;
  assign io_axi_r_payload_data = memory[at[slot][15:2]];
  assign io_axi_r_payload_id = id[slot];
  assign io_axi_r_payload_resp = 2'b00;
  assign io_axi_r_payload_last = len[slot] == 8'd0;
  reg [2:0] pause;  // lets requests gather
  integer i;
  always @(posedge clk) begin
    if (io_axi_ar_valid && io_axi_ar_ready) begin
      at[waiting[1:0]] <= io_axi_ar_payload_addr;
      id[waiting[1:0]] <= io_axi_ar_payload_id;
      len[waiting[1:0]] <= io_axi_ar_payload_len;
      size[waiting[1:0]] <= io_axi_ar_payload_size;
      waiting <= waiting + 3'd1;
      pause <= 3'd6;
    end else if (!answering && waiting != 3'd0) begin
      if (pause != 3'd0) pause <= pause - 3'd1;
      else begin
        answering <= 1'b1;
        slot <= choice;
        if (choice != 2'd0) overtaken <= overtaken + 32'd1;
      end
    end
    if (io_axi_r_valid && io_axi_r_ready) begin
      at[slot] <= ((at[slot] >> size[slot]) + 16'd1) << size[slot];
      len[slot] <= len[slot] - 8'd1;
      if (io_axi_r_payload_last) begin
        answering <= 1'b0;
        waiting <= waiting - 3'd1;
        for (i = 0; i < 3; i = i + 1)
          if (i >= slot) begin
            at[i] <= at[i + 1];
            id[i] <= id[i + 1];
            len[i] <= len[i + 1];
            size[i] <= size[i + 1];
          end
      end
    end
    if (reset) begin
      waiting <= 3'd0;
      answering <= 1'b0;
      overtaken <= 32'd0;
    end
  end
endmodule
