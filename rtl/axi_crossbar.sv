// SPDX-License-Identifier: Apache-2.0
// AXI4 crossbar (IHI 0022): S ports for masters, M ports to targets, each target with a range of
// addresses; what is in no range is answered DECERR.  Every channel of every port has a register
// slice: a request takes two cycles to its target, a response two back.
//
// A target is given to one master after the other, in turn, separately for reads and writes; a
// write keeps its target's data channel until its last beat, and its master sends the next address
// with or after that beat, so that no two masters can wait for each other.  Of its targets, too, a
// master hears one after the other, whole bursts; but where a target interleaves bursts of several
// masters, it hears others meanwhile.  Transactions of one ID and direction go to one target at a
// time (axi_id_order.sv); others overtake.  IDs get the number of the master's port above them.
//
// Ranges are inputs, taken over in reset, so that one compiled model serves every board.
// Not here: AxQOS in arbitration, exclusive monitors (they are the targets'), other clocks, widths.
module axi_crossbar #(
    parameter S = 4,
    parameter M = 12,
    parameter ID = 4,           // bits of a master's ID
    parameter DATA = 32,        // bits
    parameter OUTSTANDING = 8,  // transactions of a master, per direction
    // {id, address, length, size, burst, lock, cache, protection, qos}; {data, strobes, last};
    // {id, response}; {id, data, response, last}.  On the targets' side the ID has PORT more bits.
    localparam REST = 8 + 3 + 2 + 1 + 4 + 3 + 4,
    localparam ADDRESS = ID + 32 + REST,
    localparam WRITE = DATA + DATA / 8 + 1,
    localparam BACK = ID + 2,
    localparam READ = ID + DATA + 2 + 1,
    localparam PORT = S > 1 ? $clog2(S) : 1
) (
    input logic aclk,
    input logic aresetn,

    input logic        target_exists[M],
    input logic [31:0] target_first [M],
    input logic [31:0] target_last  [M],

    input  logic               s_awvalid[S],
    output logic               s_awready[S],
    input  logic [ADDRESS-1:0] s_aw     [S],
    input  logic               s_wvalid [S],
    output logic               s_wready [S],
    input  logic [  WRITE-1:0] s_w      [S],
    output logic               s_bvalid [S],
    input  logic               s_bready [S],
    output logic [   BACK-1:0] s_b      [S],
    input  logic               s_arvalid[S],
    output logic               s_arready[S],
    input  logic [ADDRESS-1:0] s_ar     [S],
    output logic               s_rvalid [S],
    input  logic               s_rready [S],
    output logic [   READ-1:0] s_r      [S],

    output logic                    m_awvalid[M],
    input  logic                    m_awready[M],
    output logic [PORT+ADDRESS-1:0] m_aw     [M],
    output logic                    m_wvalid [M],
    input  logic                    m_wready [M],
    output logic [       WRITE-1:0] m_w      [M],
    input  logic                    m_bvalid [M],
    output logic                    m_bready [M],
    input  logic [   PORT+BACK-1:0] m_b      [M],
    output logic                    m_arvalid[M],
    input  logic                    m_arready[M],
    output logic [PORT+ADDRESS-1:0] m_ar     [M],
    input  logic                    m_rvalid [M],
    output logic                    m_rready [M],
    input  logic [   PORT+READ-1:0] m_r      [M]
);
  localparam TARGET = $clog2(M + 1);
  localparam [TARGET-1:0] NOBODY = TARGET'(M);  // the error target
  localparam [1:0] DECERR = 2'b11;

  // ---- slices: what masters ask for, what targets answer ----

  logic awvalid[S], awready[S], wvalid[S], wready[S], arvalid[S], arready[S];
  logic bvalid[S], bready[S], rvalid[S], rready[S];
  logic [ADDRESS-1:0] aw[S], ar[S];
  logic [WRITE-1:0] w[S];
  logic [BACK-1:0] b[S];
  logic [READ-1:0] r[S];
  logic to_awvalid[M], to_awready[M], to_wvalid[M], to_wready[M], to_arvalid[M], to_arready[M];
  logic [PORT+ADDRESS-1:0] to_aw[M], to_ar[M];
  logic [WRITE-1:0] to_w[M];
  logic from_bvalid[M], from_bready[M], from_rvalid[M], from_rready[M];
  logic [PORT+BACK-1:0] from_b[M];
  logic [PORT+READ-1:0] from_r[M];

  for (genvar s = 0; s < S; s++) begin : masters
    axi_slice #(ADDRESS) aw_slice (aclk, aresetn, s_awvalid[s], s_awready[s], s_aw[s],
                                   awvalid[s], awready[s], aw[s]);
    axi_slice #(WRITE) w_slice (aclk, aresetn, s_wvalid[s], s_wready[s], s_w[s],
                                wvalid[s], wready[s], w[s]);
    axi_slice #(ADDRESS) ar_slice (aclk, aresetn, s_arvalid[s], s_arready[s], s_ar[s],
                                   arvalid[s], arready[s], ar[s]);
    axi_slice #(BACK) b_slice (aclk, aresetn, bvalid[s], bready[s], b[s],
                               s_bvalid[s], s_bready[s], s_b[s]);
    axi_slice #(READ) r_slice (aclk, aresetn, rvalid[s], rready[s], r[s],
                               s_rvalid[s], s_rready[s], s_r[s]);
  end
  for (genvar m = 0; m < M; m++) begin : targets
    axi_slice #(PORT + ADDRESS) aw_slice (aclk, aresetn, to_awvalid[m], to_awready[m], to_aw[m],
                                          m_awvalid[m], m_awready[m], m_aw[m]);
    axi_slice #(WRITE) w_slice (aclk, aresetn, to_wvalid[m], to_wready[m], to_w[m],
                                m_wvalid[m], m_wready[m], m_w[m]);
    axi_slice #(PORT + ADDRESS) ar_slice (aclk, aresetn, to_arvalid[m], to_arready[m], to_ar[m],
                                          m_arvalid[m], m_arready[m], m_ar[m]);
    axi_slice #(PORT + BACK) b_slice (aclk, aresetn, m_bvalid[m], m_bready[m], m_b[m],
                                      from_bvalid[m], from_bready[m], from_b[m]);
    axi_slice #(PORT + READ) r_slice (aclk, aresetn, m_rvalid[m], m_rready[m], m_r[m],
                                      from_rvalid[m], from_rready[m], from_r[m]);
  end

  // ---- decoding, and what the order of IDs allows ----

  logic exists[M];
  logic [31:0] first[M], last[M];
  always_ff @(posedge aclk)
    if (!aresetn)
      for (int m = 0; m < M; m++) begin
        exists[m] <= target_exists[m];
        first[m]  <= target_first[m];
        last[m]   <= target_last[m];
      end

  // What nobody asks for is not worked out: a simulator then has nothing to do for idle ports.
  logic [TARGET-1:0] aw_wants[S], ar_wants[S];
  always_comb
    for (int s = 0; s < S; s++) begin
      aw_wants[s] = NOBODY;
      ar_wants[s] = NOBODY;
      if (awvalid[s])
        for (int m = 0; m < M; m++)
          if (exists[m] && aw[s][REST+:32] >= first[m] && aw[s][REST+:32] <= last[m])
            aw_wants[s] = TARGET'(m);
      if (arvalid[s])
        for (int m = 0; m < M; m++)
          if (exists[m] && ar[s][REST+:32] >= first[m] && ar[s][REST+:32] <= last[m])
            ar_wants[s] = TARGET'(m);
    end

  logic aw_allowed[S], ar_allowed[S], aw_may[S], ar_may[S];
  logic data_due[S];   // a write's data have still to go
  logic data_ends[S];  // the last of them go in this cycle
  for (genvar s = 0; s < S; s++) begin : orders
    axi_id_order #(ID, TARGET, OUTSTANDING) of_writes (
        aclk, aresetn, aw[s][REST+32+:ID], aw_wants[s], aw_allowed[s], awvalid[s] && awready[s],
        bvalid[s] && bready[s], b[s][2+:ID]);
    axi_id_order #(ID, TARGET, OUTSTANDING) of_reads (
        aclk, aresetn, ar[s][REST+32+:ID], ar_wants[s], ar_allowed[s], arvalid[s] && arready[s],
        rvalid[s] && rready[s] && r[s][0], r[s][DATA+3+:ID]);
    assign data_ends[s] = wvalid[s] && wready[s] && w[s][0];
    assign aw_may[s] = awvalid[s] && aw_allowed[s] && (!data_due[s] || data_ends[s]);
    assign ar_may[s] = arvalid[s] && ar_allowed[s];
  end

  // ---- in front of each target ----

  logic [S-1:0] aw_request[M], ar_request[M];
  logic aw_granted[M], ar_granted[M], writing[M], write_ends[M];
  logic [PORT-1:0] aw_winner[M], ar_winner[M], writer[M];
  always_comb begin
    for (int m = 0; m < M; m++) begin
      aw_request[m] = '0;
      ar_request[m] = '0;
    end
    for (int s = 0; s < S; s++) begin
      if (aw_may[s])
        for (int m = 0; m < M; m++)
          if (aw_wants[s] == TARGET'(m) && (!writing[m] || write_ends[m])) aw_request[m][s] = 1'b1;
      if (ar_may[s])
        for (int m = 0; m < M; m++) if (ar_wants[s] == TARGET'(m)) ar_request[m][s] = 1'b1;
    end
  end
  for (genvar m = 0; m < M; m++) begin : arbiters
    axi_round_robin #(S, PORT) of_writes (aclk, aresetn, aw_request[m], to_awready[m],
                                          aw_granted[m], aw_winner[m]);
    axi_round_robin #(S, PORT) of_reads (aclk, aresetn, ar_request[m], to_arready[m],
                                         ar_granted[m], ar_winner[m]);
    assign write_ends[m] = to_wvalid[m] && to_wready[m] && to_w[m][0];
    assign to_awvalid[m] = aw_granted[m];
    assign to_aw[m] = aw_granted[m] ? {aw_winner[m], aw[aw_winner[m]]} : '0;
    assign to_arvalid[m] = ar_granted[m];
    assign to_ar[m] = ar_granted[m] ? {ar_winner[m], ar[ar_winner[m]]} : '0;
    assign to_wvalid[m] = writing[m] && wvalid[writer[m]];
    assign to_w[m] = writing[m] ? w[writer[m]] : '0;
    always_ff @(posedge aclk) begin
      if (write_ends[m]) writing[m] <= 1'b0;
      if (to_awvalid[m] && to_awready[m]) begin
        writing[m] <= 1'b1;
        writer[m]  <= aw_winner[m];
      end
      if (!aresetn) writing[m] <= 1'b0;
    end
  end

  // ---- behind each master: its handshakes, its error target, the responses for it ----

  logic b_granted[S], r_granted[S];
  logic [TARGET-1:0] b_winner[S], r_winner[S];
  for (genvar s = 0; s < S; s++) begin : ways
    logic error_awready, error_wready, error_arready, error_bvalid, error_rvalid, error_rlast;
    logic [ID-1:0] error_bid, error_rid;
    logic [TARGET-1:0] data_target;  // of the data that are due
    logic to_error;
    logic [M:0] b_request, r_request;
    assign to_error = data_target == NOBODY;

    always_comb begin
      awready[s] = 1'b0;
      arready[s] = 1'b0;
      wready[s]  = 1'b0;
      if (aw_may[s]) begin
        awready[s] = aw_wants[s] == NOBODY && error_awready;
        for (int m = 0; m < M; m++)
          if (aw_granted[m] && aw_winner[m] == PORT'(s) && to_awready[m]) awready[s] = 1'b1;
      end
      if (ar_may[s]) begin
        arready[s] = ar_wants[s] == NOBODY && error_arready;
        for (int m = 0; m < M; m++)
          if (ar_granted[m] && ar_winner[m] == PORT'(s) && to_arready[m]) arready[s] = 1'b1;
      end
      if (data_due[s]) begin
        wready[s] = to_error && error_wready;
        for (int m = 0; m < M; m++)
          if (data_target == TARGET'(m) && to_wready[m]) wready[s] = 1'b1;
      end
    end
    always_ff @(posedge aclk) begin
      if (data_ends[s]) data_due[s] <= 1'b0;
      if (awvalid[s] && awready[s]) begin
        data_due[s] <= 1'b1;
        data_target <= aw_wants[s];
      end
      if (!aresetn) data_due[s] <= 1'b0;
    end

    axi_error_target #(ID) error_target (
        .aclk, .aresetn,
        .awvalid(aw_may[s] && aw_wants[s] == NOBODY), .awready(error_awready),
        .awid(aw[s][REST+32+:ID]),
        .wvalid(wvalid[s] && data_due[s] && to_error), .wready(error_wready), .wlast(w[s][0]),
        .bvalid(error_bvalid), .bready(bready[s] && b_granted[s] && b_winner[s] == NOBODY),
        .bid(error_bid),
        .arvalid(ar_may[s] && ar_wants[s] == NOBODY), .arready(error_arready),
        .arid(ar[s][REST+32+:ID]), .arlen(ar[s][REST-1-:8]),
        .rvalid(error_rvalid), .rready(rready[s] && r_granted[s] && r_winner[s] == NOBODY),
        .rid(error_rid), .rlast(error_rlast));

    always_comb begin
      b_request = '0;
      r_request = '0;
      b_request[M] = error_bvalid;
      r_request[M] = error_rvalid;
      for (int m = 0; m < M; m++) begin
        if (from_bvalid[m]) b_request[m] = from_b[m][BACK+:PORT] == PORT'(s);
        if (from_rvalid[m]) r_request[m] = from_r[m][READ+:PORT] == PORT'(s);
      end
    end
    always_comb begin
      bvalid[s] = 1'b0;
      rvalid[s] = 1'b0;
      b[s] = {error_bid, DECERR};
      r[s] = {error_rid, {DATA{1'b0}}, DECERR, error_rlast};
      if (b_granted[s]) begin
        bvalid[s] = b_request[b_winner[s]];
        for (int m = 0; m < M; m++) if (b_winner[s] == TARGET'(m)) b[s] = from_b[m][BACK-1:0];
      end
      if (r_granted[s]) begin
        rvalid[s] = r_request[r_winner[s]];
        for (int m = 0; m < M; m++) if (r_winner[s] == TARGET'(m)) r[s] = from_r[m][READ-1:0];
      end
    end
    axi_round_robin #(M + 1, TARGET) of_b (aclk, aresetn, b_request, bvalid[s] && bready[s],
                                           b_granted[s], b_winner[s]);
    // The target that is heard has data for another master: two that waited so would wait for ever.
    logic r_elsewhere;
    always_comb begin
      r_elsewhere = 1'b0;
      if (r_granted[s])
        for (int m = 0; m < M; m++)
          if (r_winner[s] == TARGET'(m)) r_elsewhere = from_rvalid[m] && !r_request[m];
    end
    axi_round_robin #(M + 1, TARGET) of_r (aclk, aresetn, r_request,
                                           (rvalid[s] && rready[s] && r[s][0]) || r_elsewhere,
                                           r_granted[s], r_winner[s]);
  end
  for (genvar m = 0; m < M; m++) begin : backs
    always_comb begin
      from_bready[m] = 1'b0;
      from_rready[m] = 1'b0;
      if (from_bvalid[m])
        for (int s = 0; s < S; s++)
          if (from_b[m][BACK+:PORT] == PORT'(s))
            from_bready[m] = b_granted[s] && b_winner[s] == TARGET'(m) && bready[s];
      if (from_rvalid[m])
        for (int s = 0; s < S; s++)
          if (from_r[m][READ+:PORT] == PORT'(s))
            from_rready[m] = r_granted[s] && r_winner[s] == TARGET'(m) && rready[s];
    end
  end

`ifdef VERILATOR
  // Data go to where their address went, and only then.
  always_ff @(posedge aclk)
    if (aresetn) begin
      for (int s = 0; s < S; s++) if (wvalid[s] && wready[s]) assert (data_due[s]);
      for (int m = 0; m < M; m++) if (writing[m]) assert (data_due[writer[m]]);
    end
`endif
endmodule
