// SPDX-License-Identifier: Apache-2.0
// The write stage of an SM: registers, flags, address registers, and stores to s[], l[] and g[].  Blocked
// for a while after a barrier instruction, longer after one that has completed a barrier.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_write
  import g80_pkg::*;
  import flexgrip_pkg::*;
  import flexgrip_alu_pkg::*;
  import flexgrip_timing_pkg::*;
#(
    parameter int SPS = 8,
    parameter int REGISTER_ROW_BITS = 10,
    localparam int ROWS = 32 / SPS
) (
    input logic clock,
    input logic reset,
    input logic runs,
    input logic global_on_bus,  // g[] is written in the read stage

    input  logic                      enters,
    input  read_row_t                 enters_row,
    input  lane_t [SPS-1:0]           enters_results,
    input  logic [3:0][SPS-1:0][31:0] enters_wide,
    input  logic [SPS-1:0][31:0]      enters_addresses,
    output logic                      busy,
    output logic                      free,  // a cycle after the last row has left
    output logic                      leaves,
    input  logic                      holds,      // the warp's place is not known yet
    input  logic                      released,   // the instruction that has just left completed a barrier
    output logic [15:0]               since_left, // cycles since a row has, 0 in the first

    input  logic [7:0]                   registers,
    output logic                         write_register,
    output logic [REGISTER_ROW_BITS-1:0] register_row,
    output logic [SPS-1:0]               register_lanes,
    output logic [1:0]                   register_halves,
    output logic [SPS-1:0][31:0]         register_data,
    output logic                         set_address,
    output logic [1:0]                   address_register,
    output logic [SPS-1:0]               address_lanes,
    output logic                         address_adds,
    output logic [SPS-1:0][15:0]         address_value,
    output logic                         set_flags,
    output logic [31:0]                  flags_lanes,
    output logic [3:0][31:0]             flags_value,

    output logic        write_shared, write_global, write_local,
    output logic [31:0] memory_address,
    output logic [7:0]  memory_data,

    output read_row_t row
);
  lane_t [SPS-1:0] results;
  logic [3:0][SPS-1:0][31:0] wide;
  logic [SPS-1:0][31:0] addresses;
  decoded_t i;
  assign i = row.info.instruction;

  // ---- Time ----
  logic [31:0] count, cost;  // count: of cycles, this one included
  logic [15:0] gap;
  logic [5:0] active_lanes;
  logic just_left, storing, settled;
  wire [SPS-1:0] lanes = row.executed[32'(row.info.row)*SPS+:SPS];
  wire written_before = global_on_bus && i.destination.kind == K_GLOBAL;
  always_comb begin
    active_lanes = 6'($countones(lanes));
    cost = 32'(row.info.costs.write);
    if (row.info.costs.has_stores && !written_before)
      cost += 32'(active_lanes) * 32'(row.info.costs.store_active) +
              (32'(SPS) - 32'(active_lanes)) * 32'(row.info.costs.store_idle);
  end
  assign free = !busy && !just_left;
  assign leaves = busy && settled && !storing && count >= cost && since_left >= gap &&
                  !(row.info.last && holds);

  // ---- What is written: a step for each word of a register, then the increment ----
  logic [1:0] step;
  operand_t d;
  assign d = i.destination;
  wire writes_register = is_register(d.kind);
  wire last_word = !writes_register || {1'b0, step} + 3'd1 >= d.words;
  wire steps = busy && !settled;
  logic increments;
  wire [7:0] register_number = {1'b0, d.index} + {6'b0, step};
  // MOV writes the lanes of each quad that its mask names.
  wire [31:0] quads = {8{i.lane_mask}};
  wire [SPS-1:0] written_lanes = lanes & quads[SPS-1:0];

  assign write_register = steps && !increments && writes_register && register_number < registers &&
                          written_lanes != '0;
  assign register_row = REGISTER_ROW_BITS'((32'(row.info.warp) * 32'(registers) + 32'(register_number)) * ROWS +
                                           32'(row.info.row));
  assign register_lanes = written_lanes;
  assign register_halves = d.kind != K_HALF ? 2'b11 : d.high ? 2'b10 : 2'b01;
  always_comb
    for (int lane = 0; lane < SPS; lane++) begin
      register_data[lane] = step == 2'd0 ? results[lane].result : wide[step][lane];
      if (d.kind == K_HALF) register_data[lane] = {2{results[lane].result[15:0]}};
    end

  // $a1 to $a4
  wire sets_address = d.kind == K_ADDRESS && d.index >= 7'd1 && d.index <= 7'd4;
  wire has_increment = i.post_increment && i.address_register >= 3'd1 && i.address_register <= 3'd4;
  assign set_address = steps && (increments ? has_increment : sets_address) && lanes != '0;
  assign address_register = 2'((increments ? i.address_register : d.index[2:0]) - 3'd1);
  assign address_lanes = lanes;
  assign address_adds = increments;
  always_comb
    for (int lane = 0; lane < SPS; lane++)
      address_value[lane] = increments ? i.increment[15:0] : results[lane].result[15:0];

  assign set_flags = steps && !increments && step == 2'd0 &&
                     (i.writes_condition || d.kind == K_CONDITION) && lanes != '0;
  always_comb begin
    // The same for all rows of the warp, but for the lanes
    flags_lanes = 32'(lanes) << (32'(row.info.row) * SPS);
    for (int lane = 0; lane < SPS; lane++)
      for (int of_row = 0; of_row < ROWS; of_row++) begin
        flags_value[0][of_row*SPS+lane] = results[lane].zero;
        flags_value[1][of_row*SPS+lane] = results[lane].sign;
        flags_value[2][of_row*SPS+lane] = results[lane].carry;
        flags_value[3][of_row*SPS+lane] = results[lane].overflow;
      end
  end

  // ---- Stores ----
  logic writes, starts_storing;
  flexgrip_lane_storer #(SPS) storer (
      .clock, .reset, .start(starts_storing), .lanes, .addresses, .bytes(bytes_of(d.access)),
      .data(wide), .busy(storing), .write(writes), .address(memory_address),
      .write_data(memory_data));
  assign starts_storing = steps && !increments && step == 2'd0 &&
                          (d.kind == K_SHARED || d.kind == K_GLOBAL || d.kind == K_LOCAL) && lanes != '0 &&
                          !written_before;
  assign write_shared = writes && d.kind == K_SHARED;
  assign write_global = writes && d.kind == K_GLOBAL;
  assign write_local = writes && d.kind == K_LOCAL;

  always_ff @(posedge clock) begin
    if (busy && count != ~32'd0) count <= count + 32'd1;
    if (runs && since_left != 16'hffff) since_left <= since_left + 16'd1;
    just_left <= leaves;
    if (steps) begin
      if (increments) settled <= 1'b1;
      else if (last_word) begin
        increments <= 1'b1;
        settled <= !i.post_increment;
      end else step <= step + 2'd1;
    end
    if (leaves) begin
      busy <= 1'b0;
      since_left <= 16'd0;
      gap <= row.info.last && row.info.costs.barrier ? 16'(WRITE_GAP_BARRIER) : 16'(WRITE_GAP);
    end
    if (released) gap <= 16'(WRITE_GAP_RELEASE);
    if (enters) begin
      busy <= 1'b1;
      settled <= 1'b0;
      increments <= 1'b0;
      step <= 2'd0;
      count <= 32'd1;
      row <= enters_row;
      results <= enters_results;
      wide <= enters_wide;
      addresses <= enters_addresses;
    end
    if (reset) begin
      busy <= 1'b0;
      just_left <= 1'b0;
      since_left <= 16'hffff;
      gap <= 16'd0;
    end
  end
endmodule
