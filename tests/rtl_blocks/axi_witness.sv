// SPDX-License-Identifier: Apache-2.0
// Wires from an AXI4 slave port to a master port, and a second opinion on what goes over them:
// written from IHI 0022 alone, with nothing of models/axi/pins/checker.cpp in it, so that neither
// checker hides a misreading of the other.  `broken` has a bit for each rule that somebody broke,
// in the order of the parameters below, which are named as the first checker names its rules;
// `transactions` counts the requests that were taken.
// Not here: time-outs, AXI4-Lite, user signals.  At most 64 transactions may be open in a direction.
module axi_witness #(
    parameter int DATA_WIDTH = 32,
    parameter int ID_WIDTH = 4,
    localparam int LANES = DATA_WIDTH / 8
) (
    input logic aclk, aresetn,

    input logic [ID_WIDTH-1:0] s_axi_awid, input logic [31:0] s_axi_awaddr, input logic [7:0] s_axi_awlen,
    input logic [2:0] s_axi_awsize, input logic [1:0] s_axi_awburst, input logic s_axi_awlock,
    input logic [3:0] s_axi_awcache, input logic [2:0] s_axi_awprot, input logic [3:0] s_axi_awqos, s_axi_awregion,
    input logic s_axi_awvalid, output logic s_axi_awready,
    input logic [DATA_WIDTH-1:0] s_axi_wdata, input logic [LANES-1:0] s_axi_wstrb,
    input logic s_axi_wlast, s_axi_wvalid, output logic s_axi_wready,
    output logic [ID_WIDTH-1:0] s_axi_bid, output logic [1:0] s_axi_bresp,
    output logic s_axi_bvalid, input logic s_axi_bready,
    input logic [ID_WIDTH-1:0] s_axi_arid, input logic [31:0] s_axi_araddr, input logic [7:0] s_axi_arlen,
    input logic [2:0] s_axi_arsize, input logic [1:0] s_axi_arburst, input logic s_axi_arlock,
    input logic [3:0] s_axi_arcache, input logic [2:0] s_axi_arprot, input logic [3:0] s_axi_arqos, s_axi_arregion,
    input logic s_axi_arvalid, output logic s_axi_arready,
    output logic [ID_WIDTH-1:0] s_axi_rid, output logic [DATA_WIDTH-1:0] s_axi_rdata,
    output logic [1:0] s_axi_rresp, output logic s_axi_rlast, s_axi_rvalid, input logic s_axi_rready,

    output logic [ID_WIDTH-1:0] m_axi_awid, output logic [31:0] m_axi_awaddr, output logic [7:0] m_axi_awlen,
    output logic [2:0] m_axi_awsize, output logic [1:0] m_axi_awburst, output logic m_axi_awlock,
    output logic [3:0] m_axi_awcache, output logic [2:0] m_axi_awprot, output logic [3:0] m_axi_awqos, m_axi_awregion,
    output logic m_axi_awvalid, input logic m_axi_awready,
    output logic [DATA_WIDTH-1:0] m_axi_wdata, output logic [LANES-1:0] m_axi_wstrb,
    output logic m_axi_wlast, m_axi_wvalid, input logic m_axi_wready,
    input logic [ID_WIDTH-1:0] m_axi_bid, input logic [1:0] m_axi_bresp,
    input logic m_axi_bvalid, output logic m_axi_bready,
    output logic [ID_WIDTH-1:0] m_axi_arid, output logic [31:0] m_axi_araddr, output logic [7:0] m_axi_arlen,
    output logic [2:0] m_axi_arsize, output logic [1:0] m_axi_arburst, output logic m_axi_arlock,
    output logic [3:0] m_axi_arcache, output logic [2:0] m_axi_arprot, output logic [3:0] m_axi_arqos, m_axi_arregion,
    output logic m_axi_arvalid, input logic m_axi_arready,
    input logic [ID_WIDTH-1:0] m_axi_rid, input logic [DATA_WIDTH-1:0] m_axi_rdata,
    input logic [1:0] m_axi_rresp, input logic m_axi_rlast, m_axi_rvalid, output logic m_axi_rready,

    output logic [19:0] broken,
    output logic [31:0] transactions
);
  localparam int VALID_HELD = 0, STABLE = 1, RESET = 2, BURST_TYPE = 3, LENGTH = 4, SIZE = 5, WRAP_ALIGNED = 6,
                 BOUNDARY = 7, LAST = 8, STROBES = 9, CACHE = 10, ID = 11, RESPONSE = 12, RESPONSE_EARLY = 13,
                 EXCLUSIVE_LENGTH = 14, EXCLUSIVE_SIZE = 15, EXCLUSIVE_ALIGNED = 16, EXCLUSIVE_PAIR = 17,
                 EXOKAY = 18, EXOKAY_MIXED = 19;
  localparam int IDS = 1 << ID_WIDTH, DEPTH = 64;
  localparam logic [1:0] FIXED = 2'd0, INCR = 2'd1, WRAP = 2'd2;
  localparam logic [1:0] RESP_EXOKAY = 2'd1;

  typedef struct packed {
    logic [ID_WIDTH-1:0] id;
    logic [31:0] addr;
    logic [7:0] len;
    logic [2:0] size;
    logic [1:0] burst;
    logic lock;
    logic [3:0] cache;
    logic [2:0] prot;
    logic [3:0] qos, region;
  } request_t;
  typedef struct packed {
    logic [DATA_WIDTH-1:0] data;
    logic [LANES-1:0] strb;
    logic last;
  } write_t;

  request_t aw, ar;
  write_t w;
  assign aw = {s_axi_awid, s_axi_awaddr, s_axi_awlen, s_axi_awsize, s_axi_awburst, s_axi_awlock, s_axi_awcache,
               s_axi_awprot, s_axi_awqos, s_axi_awregion};
  assign ar = {s_axi_arid, s_axi_araddr, s_axi_arlen, s_axi_arsize, s_axi_arburst, s_axi_arlock, s_axi_arcache,
               s_axi_arprot, s_axi_arqos, s_axi_arregion};
  assign w = {s_axi_wdata, s_axi_wstrb, s_axi_wlast};
  assign {m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_awsize, m_axi_awburst, m_axi_awlock, m_axi_awcache,
          m_axi_awprot, m_axi_awqos, m_axi_awregion} = aw;
  assign {m_axi_arid, m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst, m_axi_arlock, m_axi_arcache,
          m_axi_arprot, m_axi_arqos, m_axi_arregion} = ar;
  assign {m_axi_wdata, m_axi_wstrb, m_axi_wlast} = w;
  assign m_axi_awvalid = s_axi_awvalid, s_axi_awready = m_axi_awready;
  assign m_axi_wvalid = s_axi_wvalid, s_axi_wready = m_axi_wready;
  assign m_axi_arvalid = s_axi_arvalid, s_axi_arready = m_axi_arready;
  assign s_axi_bid = m_axi_bid, s_axi_bresp = m_axi_bresp, s_axi_bvalid = m_axi_bvalid, m_axi_bready = s_axi_bready;
  assign s_axi_rid = m_axi_rid, s_axi_rdata = m_axi_rdata, s_axi_rresp = m_axi_rresp, s_axi_rlast = m_axi_rlast,
         s_axi_rvalid = m_axi_rvalid, m_axi_rready = s_axi_rready;

  // ---- A3.4.1: the bytes of beat n (from 0) of a burst, as byte lanes ----
  function automatic logic [LANES-1:0] lanes_of(input request_t q, input logic [8:0] n);
    logic [31:0] number_bytes, aligned, total, address, wrap_boundary, lower, upper, bus;
    number_bytes = 32'd1 << q.size;
    aligned = q.addr / number_bytes * number_bytes;
    total = number_bytes * (32'(q.len) + 1);
    address = q.burst == FIXED || n == 0 ? q.addr : aligned + 32'(n) * number_bytes;
    wrap_boundary = q.addr / total * total;
    if (q.burst == WRAP && address >= wrap_boundary + total) address = address - total;
    bus = address / LANES * LANES;
    lower = address - bus;
    upper = address / number_bytes * number_bytes + number_bytes - 1 - bus;
    for (int lane = 0; lane < LANES; lane++) lanes_of[lane] = 32'(lane) >= lower && 32'(lane) <= upper;
  endfunction

  // ---- A3.4.1, A4.4, A7.2.4: what a request may be ----
  function automatic logic [19:0] wrong_with(input request_t q);
    logic [31:0] total;
    total = (32'(q.len) + 1) << q.size;
    wrong_with = '0;
    wrong_with[BURST_TYPE] = q.burst == 2'd3;
    wrong_with[SIZE] = (1 << q.size) > LANES;
    wrong_with[LENGTH] = (q.burst == FIXED && q.len > 15) ||
                         (q.burst == WRAP && !(q.len inside {8'd1, 8'd3, 8'd7, 8'd15}));
    wrong_with[WRAP_ALIGNED] = q.burst == WRAP && (q.addr & ((32'd1 << q.size) - 1)) != 0;
    wrong_with[BOUNDARY] = q.burst == INCR &&
                           (q.addr >> 12) != ((((q.addr >> q.size) << q.size) + total - 1) >> 12);
    wrong_with[CACHE] = !q.cache[1] && q.cache[3:2] != 0;
    if (q.lock) begin
      wrong_with[EXCLUSIVE_LENGTH] = q.len > 15;
      wrong_with[EXCLUSIVE_SIZE] = total > 128 || (total & (total - 1)) != 0;
      wrong_with[EXCLUSIVE_ALIGNED] = (q.addr & (total - 1)) != 0;
    end
  endfunction

  // ---- what is open ----
  request_t to_write[DEPTH];             // taken by AW, their data not all there
  logic [LANES:0] early[DEPTH];          // data before their address: strobes and WLAST
  int unsigned to_write_count, early_count, beat;
  logic [1:0] written[IDS][DEPTH];       // B is to come: {exclusive, may be answered EXOKAY}
  int unsigned written_count[IDS], writing_count[IDS], all_writes;
  request_t reading[IDS][DEPTH];         // R is to come
  int unsigned reading_count[IDS], all_reads;
  logic [8:0] read_beat[IDS];
  logic read_exokay[IDS];
  logic pair_there[IDS], pair_granted[IDS];  // A7.2.4: the exclusive read that a write may follow
  request_t pair[IDS];

  // ---- the cycle before ----
  logic in_reset_before;
  logic aw_waited, w_waited, b_waited, ar_waited, r_waited;
  request_t aw_before, ar_before;
  write_t w_before;
  logic [ID_WIDTH+1:0] b_before;
  logic [ID_WIDTH+DATA_WIDTH+2:0] r_before;
  wire [ID_WIDTH+1:0] b_now = {s_axi_bid, s_axi_bresp};
  wire [ID_WIDTH+DATA_WIDTH+2:0] r_now = {s_axi_rid, s_axi_rdata, s_axi_rresp, s_axi_rlast};

  task automatic look_at_handshakes;
    if ((aw_waited && !s_axi_awvalid) || (w_waited && !s_axi_wvalid) || (b_waited && !s_axi_bvalid) ||
        (ar_waited && !s_axi_arvalid) || (r_waited && !s_axi_rvalid))
      broken[VALID_HELD] = 1'b1;
    if ((aw_waited && s_axi_awvalid && aw != aw_before) || (w_waited && s_axi_wvalid && w != w_before) ||
        (b_waited && s_axi_bvalid && b_now != b_before) || (ar_waited && s_axi_arvalid && ar != ar_before) ||
        (r_waited && s_axi_rvalid && r_now != r_before))
      broken[STABLE] = 1'b1;
  endtask

  // Responses answer what was there before this cycle.
  task automatic look_at_write_response;
    if (s_axi_bvalid && written_count[s_axi_bid] == 0) begin
      if (writing_count[s_axi_bid] != 0) broken[RESPONSE_EARLY] = 1'b1;
      else if (all_writes != 0) broken[ID] = 1'b1;
      else broken[RESPONSE] = 1'b1;
    end else if (s_axi_bvalid) begin
      if (s_axi_bresp == RESP_EXOKAY && written[s_axi_bid][0] != 2'b11) broken[EXOKAY] = 1'b1;
      if (s_axi_bready) begin
        if (s_axi_bresp == RESP_EXOKAY) pair_granted[s_axi_bid] = 1'b0;  // used up
        for (int i = 1; i < DEPTH; i++) written[s_axi_bid][i-1] = written[s_axi_bid][i];
        written_count[s_axi_bid]--;
        all_writes--;
      end
    end
  endtask

  task automatic look_at_read_data;
    logic exokay;
    request_t q;
    exokay = s_axi_rresp == RESP_EXOKAY;
    q = reading[s_axi_rid][0];
    if (s_axi_rvalid && reading_count[s_axi_rid] == 0) begin
      if (all_reads != 0) broken[ID] = 1'b1;
      else broken[RESPONSE] = 1'b1;
    end else if (s_axi_rvalid) begin
      if (exokay && !q.lock) broken[EXOKAY] = 1'b1;
      if (read_beat[s_axi_rid] != 0 && q.lock && exokay != read_exokay[s_axi_rid]) broken[EXOKAY_MIXED] = 1'b1;
      if (s_axi_rlast != (read_beat[s_axi_rid] == 9'(q.len))) broken[LAST] = 1'b1;
      if (s_axi_rready) begin
        read_exokay[s_axi_rid] = exokay;
        read_beat[s_axi_rid]++;
        if (read_beat[s_axi_rid] > 9'(q.len)) begin
          if (q.lock) begin
            pair[s_axi_rid] = q;
            pair_there[s_axi_rid] = 1'b1;
            pair_granted[s_axi_rid] = exokay;
          end
          read_beat[s_axi_rid] = '0;
          for (int i = 1; i < DEPTH; i++) reading[s_axi_rid][i-1] = reading[s_axi_rid][i];
          reading_count[s_axi_rid]--;
          all_reads--;
        end
      end
    end
  endtask

  task automatic take_requests;
    if (s_axi_awvalid && s_axi_awready) begin
      broken = broken | wrong_with(aw);
      if (aw.lock && (!pair_there[aw.id] || {aw.addr, aw.len, aw.size, aw.burst, aw.cache, aw.prot} !=
                      {pair[aw.id].addr, pair[aw.id].len, pair[aw.id].size, pair[aw.id].burst, pair[aw.id].cache,
                       pair[aw.id].prot}))
        broken[EXCLUSIVE_PAIR] = 1'b1;
      to_write[to_write_count] = aw;
      to_write_count++;
      writing_count[aw.id]++;
      all_writes++;
      transactions++;
    end
    if (s_axi_arvalid && s_axi_arready) begin
      broken = broken | wrong_with(ar);
      if (ar.lock) pair_there[ar.id] = 1'b0;
      reading[ar.id][reading_count[ar.id]] = ar;
      reading_count[ar.id]++;
      all_reads++;
      transactions++;
    end
    if (s_axi_wvalid && s_axi_wready) begin
      early[early_count] = {w.strb, w.last};
      early_count++;
    end
  endtask

  // Write data go to the addresses in their order.
  task automatic match_write_data;
    request_t q;
    for (int turn = 0; turn < DEPTH && early_count != 0 && to_write_count != 0; turn++) begin
      q = to_write[0];
      if ((early[0][LANES:1] & ~lanes_of(q, 9'(beat))) != 0) broken[STROBES] = 1'b1;
      if (early[0][0] != (beat == 32'(q.len))) broken[LAST] = 1'b1;
      for (int i = 1; i < DEPTH; i++) early[i-1] = early[i];
      early_count--;
      beat++;
      if (beat > 32'(q.len)) begin
        beat = 0;
        for (int i = 1; i < DEPTH; i++) to_write[i-1] = to_write[i];
        to_write_count--;
        writing_count[q.id]--;
        written[q.id][written_count[q.id]] = {q.lock, pair_there[q.id] && pair_granted[q.id]};
        written_count[q.id]++;
      end
    end
  endtask

  always_ff @(posedge aclk) begin
    if (!aresetn) begin
      if (in_reset_before && (s_axi_awvalid || s_axi_wvalid || s_axi_arvalid || s_axi_bvalid || s_axi_rvalid))
        broken[RESET] = 1'b1;
      if (!in_reset_before) broken = '0;
      transactions = '0;
      to_write_count = 0;
      early_count = 0;
      beat = 0;
      all_writes = 0;
      all_reads = 0;
      for (int i = 0; i < IDS; i++) begin
        written_count[i] = 0;
        writing_count[i] = 0;
        reading_count[i] = 0;
        read_beat[i] = '0;
        pair_there[i] = 1'b0;
        pair_granted[i] = 1'b0;
      end
    end else begin
      look_at_handshakes();
      look_at_write_response();
      look_at_read_data();
      take_requests();
      match_write_data();
    end
    in_reset_before <= !aresetn;
    aw_waited <= aresetn && s_axi_awvalid && !s_axi_awready;
    w_waited <= aresetn && s_axi_wvalid && !s_axi_wready;
    b_waited <= aresetn && s_axi_bvalid && !s_axi_bready;
    ar_waited <= aresetn && s_axi_arvalid && !s_axi_arready;
    r_waited <= aresetn && s_axi_rvalid && !s_axi_rready;
    aw_before <= aw;
    ar_before <= ar;
    w_before <= w;
    b_before <= b_now;
    r_before <= r_now;
  end
endmodule
