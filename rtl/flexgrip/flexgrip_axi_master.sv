// SPDX-License-Identifier: Apache-2.0
// FlexGrip's AXI4 master: single accesses of 1 to 16 bytes, as many beats of a word as they need, one
// transaction at a time.  All SMs share it, in turn.  An SM asks until it is answered; one that
// no longer does has been reset, and nobody hears the answer.
module flexgrip_axi_master #(
    parameter int SMS = 1,
    localparam int SM_BITS = SMS > 1 ? $clog2(SMS) : 1
) (
    input logic clock,
    input logic reset,

    input  logic [SMS-1:0]            request,
    input  logic [SMS-1:0]            write,
    input  logic [SMS-1:0][31:0]      address,  // aligned
    input  logic [SMS-1:0][4:0]       bytes,
    input  logic [SMS-1:0][3:0][31:0] data,
    output logic [SMS-1:0]            answered,  // in this cycle
    output logic                      error,
    output logic [3:0][31:0]          answer,

    output logic [31:0] awaddr,
    output logic [ 7:0] awlen,
    output logic [ 2:0] awsize,
    output logic        awvalid,
    input  logic        awready,
    output logic [31:0] wdata,
    output logic [ 3:0] wstrb,
    output logic        wlast,
    output logic        wvalid,
    input  logic        wready,
    input  logic        berror,
    input  logic        bvalid,
    output logic        bready,
    output logic [31:0] araddr,
    output logic [ 7:0] arlen,
    output logic [ 2:0] arsize,
    output logic        arvalid,
    input  logic        arready,
    input  logic [31:0] rdata,
    input  logic        rerror,
    input  logic        rlast,
    input  logic        rvalid,
    output logic        rready
);
  typedef enum logic [1:0] {IDLE, READ, WRITE} state_t;
  state_t state;
  logic [SM_BITS-1:0] owner, chosen;
  logic abandoned, failed;
  logic [31:0] at;
  logic [2:0] size;
  logic [1:0] last_beat, beat;
  logic [3:0][31:0] words;

  // The first one after the last owner that asks
  always_comb begin
    chosen = owner;
    for (int sm = SMS - 1; sm >= 0; sm--) if (request[sm]) chosen = SM_BITS'(sm);
    for (int sm = SMS - 1; sm >= 0; sm--)
      if (request[sm] && SM_BITS'(sm) > owner) chosen = SM_BITS'(sm);
  end

  assign {awaddr, araddr} = {at, at};
  assign {awsize, arsize} = {size, size};
  assign {awlen, arlen} = {8'(last_beat), 8'(last_beat)};
  // Bytes and halves lie in the lanes of their addresses.
  wire [4:0] shift = {at[1:0], 3'b0};
  assign wdata = words[beat] << shift;
  assign wstrb = (size == 3'd0 ? 4'b0001 : size == 3'd1 ? 4'b0011 : 4'b1111) << at[1:0];
  assign wlast = beat == last_beat;
  assign rready = state == READ;
  assign bready = state == WRITE;

  wire [31:0] moved = rdata >> shift;
  always_comb begin
    answer = words;
    answer[beat] = size == 3'd0 ? {24'b0, moved[7:0]} : size == 3'd1 ? {16'b0, moved[15:0]} : moved;
  end
  wire ends = state == READ ? rvalid && rlast : state == WRITE && bvalid;
  assign error = failed || (state == READ ? rerror : berror);
  always_comb begin
    answered = '0;
    answered[owner] = ends && !abandoned && request[owner];
  end

  always_ff @(posedge clock) begin
    if (awready) awvalid <= 1'b0;
    if (arready) arvalid <= 1'b0;
    if (state != IDLE && !request[owner]) abandoned <= 1'b1;
    if (state == READ && rvalid) begin
      words <= answer;
      beat <= beat + 2'd1;
      failed <= failed || rerror;
    end
    if (wvalid && wready) begin
      beat <= beat + 2'd1;
      wvalid <= !wlast;
    end
    if (ends) state <= IDLE;
    if (state == IDLE && request != '0) begin
      state <= write[chosen] ? WRITE : READ;
      awvalid <= write[chosen];
      wvalid <= write[chosen];
      arvalid <= !write[chosen];
      owner <= chosen;
      at <= address[chosen];
      size <= bytes[chosen] == 5'd1 ? 3'd0 : bytes[chosen] == 5'd2 ? 3'd1 : 3'd2;
      last_beat <= bytes[chosen] == 5'd16 ? 2'd3 : bytes[chosen] == 5'd8 ? 2'd1 : 2'd0;
      words <= data[chosen];
      beat <= 2'd0;
      abandoned <= 1'b0;
      failed <= 1'b0;
    end
    if (reset) begin
      state <= IDLE;
      {awvalid, wvalid, arvalid} <= '0;
      owner <= '0;
    end
  end
endmodule
