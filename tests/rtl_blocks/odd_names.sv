// SPDX-License-Identifier: Apache-2.0
// Two AXI4-Lite ports onto the same words, 64 bits wide each, and not one usual name.  A word that
// nobody has written is what the flip-flops came up with.  The upper half of the first port's
// addresses reads how many edges there have been, which is no state of the module's own.
int unsigned edges;

module odd_names_top
  import odd_names_package::*;
(
    input logic tick, restart,
    // the first port
    input logic [15:0] cfg_wr_where, input logic cfg_wr_go, output logic cfg_wr_gone,
    input logic [63:0] cfg_wr_what, input logic [7:0] cfg_wr_which, input logic cfg_what_go,
    output logic cfg_what_gone, output logic [1:0] cfg_done_how, output logic cfg_done,
    input logic cfg_done_seen,
    input logic [15:0] cfg_rd_where, input logic cfg_rd_go, output logic cfg_rd_gone,
    output logic [63:0] cfg_rd_what, output logic [1:0] cfg_rd_how, output logic cfg_rd_done,
    input logic cfg_rd_seen,
    // the second: AXI's names behind a prefix that says nothing, and reads alone
    input logic [15:0] \look.araddr , input logic \look.arvalid , output logic \look.arready ,
    output logic [63:0] \look.rdata , output logic [1:0] \look.rresp , output logic \look.rvalid ,
    input logic \look.rready ,
    input logic [95:0] wide,
    input logic [7:0] auto,
    output logic bell
);
  logic [63:0] words[kWords];
  wire write = cfg_wr_go & cfg_what_go & (~cfg_done | cfg_done_seen);
  assign cfg_wr_gone = write, cfg_what_gone = write;
  assign cfg_done_how = 2'b00, cfg_rd_how = 2'b00, \look.rresp = 2'b00;
  assign cfg_rd_gone = ~cfg_rd_done | cfg_rd_seen;
  assign \look.arready = ~\look.rvalid | \look.rready ;
  assign bell = words[0][63] | (wide != 0);
  always_ff @(posedge tick) edges <= edges + 1;
  always_ff @(posedge tick) begin
    if (cfg_done_seen) cfg_done <= 1'b0;
    if (write) begin
      cfg_done <= 1'b1;
      for (int i = 0; i < 8; ++i)
        if (cfg_wr_which[i]) words[cfg_wr_where[3+:kBits]][8*i+:8] <= cfg_wr_what[8*i+:8];
    end
    if (cfg_rd_seen) cfg_rd_done <= 1'b0;
    if (cfg_rd_go & cfg_rd_gone) begin
      cfg_rd_done <= 1'b1;
      cfg_rd_what <= cfg_rd_where[15] ? {32'b0, edges} : words[cfg_rd_where[3+:kBits]];
    end
    if (\look.rready ) \look.rvalid <= 1'b0;
    if (\look.arvalid & \look.arready ) begin
      \look.rvalid <= 1'b1;
      \look.rdata <= words[\look.araddr [3+:kBits]] ^ {56'b0, auto};
    end
    if (restart) begin
      cfg_done <= 1'b0;
      cfg_rd_done <= 1'b0;
      \look.rvalid <= 1'b0;
      words[0] <= '0;
    end
  end
endmodule
