// SPDX-License-Identifier: Apache-2.0
// The address and condition registers of an SM, four of each for each thread; zero when a batch of
// blocks begins.  Distributed memory: read in the cycle in which it is asked.  Address registers are
// kept by rows of a warp (16 bits for each SP), flags by warps (O C S Z, 32 lanes each), because a
// predicate is a whole warp's.
module flexgrip_small_registers #(
    parameter int SPS = 8,
    parameter int WARPS = 24
) (
    input logic clock,
    input logic clear,

    // $a1 to $a4 are 0 to 3
    input  logic [4:0]           address_warp,
    input  logic [1:0]           address_register,
    input  logic [1:0]           address_row,
    output logic [SPS-1:0][15:0] address_value,
    input  logic                 set_address,
    input  logic [4:0]           set_address_warp,
    input  logic [1:0]           set_address_register,
    input  logic [1:0]           set_address_row,
    input  logic [SPS-1:0]       set_address_lanes,
    input  logic                 set_address_adds,  // to what is there
    input  logic [SPS-1:0][15:0] set_address_value,

    input  logic [4:0]       flags_warp,
    input  logic [1:0]       flags_register,
    output logic [3:0][31:0] flags_value,
    input  logic             set_flags,
    input  logic [4:0]       set_flags_warp,
    input  logic [1:0]       set_flags_register,
    input  logic [31:0]      set_flags_lanes,
    input  logic [3:0][31:0] set_flags_value
);
  localparam int ROWS = 32 / SPS;
  logic [SPS-1:0][15:0] addresses[WARPS*4*ROWS];
  logic [3:0][31:0] flags[WARPS*4];

  localparam int ADDRESS_BITS = $clog2(WARPS * 4 * ROWS);
  localparam int FLAGS_BITS = $clog2(WARPS * 4);
  function automatic logic [ADDRESS_BITS-1:0] place(input logic [4:0] warp, input logic [1:0] register,
                                                    input logic [1:0] row);
    place = ADDRESS_BITS'((32'(warp) * 4 + 32'(register)) * ROWS + 32'(row));
  endfunction

  wire [ADDRESS_BITS-1:0] from = place(address_warp, address_register, address_row);
  wire [ADDRESS_BITS-1:0] to = place(set_address_warp, set_address_register, set_address_row);
  logic from_written, to_written;
  flexgrip_written #(WARPS*4*ROWS) addresses_written (
      .clock, .clear, .read_word(from), .read_written(from_written), .write(set_address),
      .write_word(to), .write_written(to_written));
  assign address_value = from_written ? addresses[from] : '0;
  wire [FLAGS_BITS-1:0] flags_from = FLAGS_BITS'({flags_warp, flags_register});
  wire [FLAGS_BITS-1:0] flags_to = FLAGS_BITS'({set_flags_warp, set_flags_register});
  logic flags_from_written, flags_to_written;
  flexgrip_written #(WARPS*4) flags_written (
      .clock, .clear, .read_word(flags_from), .read_written(flags_from_written), .write(set_flags),
      .write_word(flags_to), .write_written(flags_to_written));
  assign flags_value = flags_from_written ? flags[flags_from] : '0;

  always_ff @(posedge clock) begin
    // A row is written as a whole: one port.
    if (set_address) begin
      logic [SPS-1:0][15:0] row;
      row = to_written ? addresses[to] : '0;
      for (int lane = 0; lane < SPS; lane++)
        if (set_address_lanes[lane])
          row[lane] = set_address_value[lane] + (set_address_adds ? row[lane] : 16'b0);
      addresses[to] <= row;
    end
    if (set_flags) begin
      logic [3:0][31:0] row;
      row = flags_to_written ? flags[flags_to] : '0;
      for (int flag = 0; flag < 4; flag++)
        row[flag] = (row[flag] & ~set_flags_lanes) | (set_flags_value[flag] & set_flags_lanes);
      flags[flags_to] <= row;
    end
  end
endmodule
