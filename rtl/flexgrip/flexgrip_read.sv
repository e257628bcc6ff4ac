// SPDX-License-Identifier: Apache-2.0
// The read stage of an SM.  The first row of an instruction evaluates the predicate for all threads of
// the warp, decides where the warp goes on, and checks the addresses of all lanes; then every row
// brings its operands: registers, immediates, s[], c[], l[], g[], and, for stores, the addresses.  How long
// a row stays here is the sum of its costs (flexgrip_costs_pkg), whatever of it this takes.  Where g[] is
// on the bus, stores go there from here, too: accesses are in the order of instructions, and one
// that fails is known before anything behind it happens.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_read
  import g80_pkg::*;
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
  import flexgrip_timing_pkg::*;
#(
    parameter int SPS = 8,
    parameter int REGISTER_ROW_BITS = 10,
    localparam int ROWS = 32 / SPS
) (
    input logic clock,
    input logic reset,

    input logic      enters,
    input row_info_t enters_info,
    output logic     busy,
    output logic     leaves,
    input logic      next_free,

    input configuration_t configuration,
    // Of the kernel
    input logic [7:0]        registers,  // of a thread
    input logic [31:0]       shared_bytes,
    input logic [31:0]       shared_base,  // of the block of the row's warp
    input logic [15:0][15:0] bank_base,
    input logic [15:0][15:0] bank_bytes,

    // The warp
    input  logic [31:0] active,
    input  logic [5:0]  depth,
    input  logic        has_break,
    input  logic        flow_busy,
    output logic        flow_start,
    output flow_t       flow,
    output logic [31:0] flow_threads,

    // Registers
    output logic                         read_register,
    output logic [REGISTER_ROW_BITS-1:0] register_row,
    input  logic [SPS-1:0][31:0]         register_data,
    output logic [1:0]                   address_register,
    output logic [1:0]                   address_row,
    input  logic [SPS-1:0][15:0]         address_value,
    output logic [1:0]                   flags_register,
    input  logic [3:0][31:0]             flags,

    // Memory, a byte at a time
    output logic        read_shared, read_constant, read_global, read_local,
    output logic [31:0] memory_address,
    input  logic [7:0]  shared_data, constant_data, global_data, local_data,

    output logic             bus_request,
    output logic             bus_write,
    output logic [31:0]      bus_address,
    output logic [4:0]       bus_bytes,
    output logic [3:0][31:0] bus_data,
    input  logic             bus_answered,
    input  logic             bus_error,
    input  logic [3:0][31:0] bus_answer,

    output logic       faults,  // in this cycle
    output fault_t     fault,
    output row_info_t  info,
    output logic [31:0] executed,
    output decision_t  decision,
    output logic [SPS-1:0][31:0]      a, b, c,
    output logic [3:0][SPS-1:0][31:0] wide,       // to be stored, or what was loaded
    output logic [SPS-1:0][31:0]      addresses   // of stores
);
  typedef enum logic [3:0] {
    EMPTY, PREDICATE, DECIDE, CHECK, CHECK_REGISTER, OPERAND, REGISTER, LOAD, ADDRESS,
    ADDRESS_REGISTER, STORE, DONE
  } state_t;
  state_t state;
  decoded_t i;
  logic [31:0] count;        // of cycles, this one included
  logic [1:0] operand;       // that is brought or checked: 0 to 2, 3 is the destination
  logic [1:0] check_row, word;
  operand_t o;
  assign i = info.instruction;
  assign o = operand == 2'd3 ? i.destination : i.source[operand];
  assign busy = state != EMPTY;
  wire on_bus = configuration.global_on_bus && o.kind == K_GLOBAL;

  // ---- Time ----
  logic [5:0] active_lanes;
  logic [31:0] lanes_cost, stores_cost, memory_cost, cost, first_cost, bus_cycles;
  wire [SPS-1:0] lanes = executed[32'(info.row)*SPS+:SPS];
  logic pops;
  wire loads_on_bus = configuration.global_on_bus && i.source[0].kind == K_GLOBAL;
  wire stores_on_bus = configuration.global_on_bus && i.destination.kind == K_GLOBAL;
  always_comb begin
    active_lanes = 6'($countones(lanes));
    lanes_cost = info.costs.has_lanes ?
                 32'(active_lanes) * (loads_on_bus ? 32'(configuration.timing.lane_access) : 32'(info.costs.lane_active)) +
                 (32'(SPS) - 32'(active_lanes)) * 32'(info.costs.lane_idle) : 32'd0;
    if (loads_on_bus) lanes_cost += bus_cycles;
    stores_cost = 32'(active_lanes) * 32'(configuration.timing.lane_store) +
                  (32'(SPS) - 32'(active_lanes)) * 32'(info.costs.store_idle) + bus_cycles;
    memory_cost = 32'(info.costs.memory) + lanes_cost;
    cost = 32'(info.costs.registers);
    if (info.costs.memory != 16'd0 && memory_cost > cost) cost = memory_cost;
    first_cost = 32'(info.costs.prologue) + (pops ? 32'(READ_JOIN) : 32'd0);
    if (stores_on_bus) cost += stores_cost;
    if (info.first) cost += first_cost;
  end
  wire nothing_to_do = state == DONE ||
      (state == DECIDE && !faults && !flow_busy && i.cost == COST_NOTHING);
  assign leaves = nothing_to_do && next_free && count >= cost;

  // ---- Predicate and control flow, in the first row ----
  assign flags_register = i.condition;
  logic [31:0] holds;
  always_comb begin
    holds = 32'b0;
    for (int v = 0; v < 16; v++)
      if (i.truth[v])
        holds |= (v[3] ? flags[3] : ~flags[3]) & (v[2] ? flags[2] : ~flags[2]) &
                 (v[1] ? flags[1] : ~flags[1]) & (v[0] ? flags[0] : ~flags[0]);
  end

  wire marks_exit = i.marker == MARK_EXIT;
  wire pushes = i.cost == COST_PUSH;
  wire diverges = i.cost == COST_BRANCH && executed != 32'b0 && executed != active;
  always_comb begin
    flow_threads = executed;
    case (i.operation)
      OP_BRANCH: flow = configuration.taken_first ? FLOW_BRANCH : FLOW_BRANCH_NOT_TAKEN_FIRST;
      OP_CALL: flow = FLOW_CALL;
      OP_SET_SYNC: flow = FLOW_SYNC;
      OP_PRE_BREAK: flow = FLOW_PRE_BREAK;
      OP_RETURN: flow = FLOW_RETURN;
      OP_BREAK: flow = FLOW_BREAK;
      default: begin
        flow = marks_exit ? FLOW_EXIT : i.marker == MARK_JOIN ? FLOW_JOIN : FLOW_NEXT;
        // An exit acts also where the predicate is "never".
        if (i.truth == 16'b0) flow_threads = active;
      end
    endcase
  end
  assign flow_start = state == DECIDE && !flow_busy && !faults;

  function automatic logic [4:0] first_lane(input logic [31:0] mask);
    logic [31:0] rest;
    rest = mask;
    first_lane = 5'd0;
    for (int bit_of = 4; bit_of >= 0; bit_of--)
      if ((rest & ((32'd1 << (1 << bit_of)) - 32'd1)) == 32'b0) begin
        first_lane[bit_of] = 1'b1;
        rest >>= 1 << bit_of;
      end
  endfunction

  cause_t control_cause;
  always_comb begin
    control_cause = i.cause;
    if (i.cause == CAUSE_NONE) begin
      if (i.operation == OP_TRAP) control_cause = CAUSE_TRAP;
      else if ((pushes || diverges) && 32'(depth) == configuration.stack_depth) control_cause = CAUSE_STACK_OVERFLOW;
      else if (i.operation == OP_BREAK && !has_break) control_cause = CAUSE_STACK_UNDERFLOW;
    end
  end

  // ---- Addresses ----
  // s[], c[] and l[]: $a + offset modulo 2^16; with post-increment $a alone.
  wire has_address_register = o.indexed && i.address_register >= 3'd1 && i.address_register <= 3'd4;
  wire uniform = !has_address_register && operand != 2'd3;
  wire [15:0] offset = o.indexed && i.post_increment ? 16'b0 : o.value[15:0];
  // A row is checked while another one, or none yet, is brought.
  wire checks = state == CHECK || state == CHECK_REGISTER;
  wire reads_address_operand = o.kind == K_ADDRESS;
  assign address_register = 2'((reads_address_operand ? o.index[2:0] : i.address_register) - 3'd1);
  assign address_row = checks ? check_row : info.row;

  logic [SPS-1:0][31:0] relative, absolute;
  logic [31:0] base, limit;
  always_comb begin
    base = 32'b0;
    limit = 32'b0;
    if (o.kind == K_SHARED) begin
      base = shared_base;
      limit = shared_bytes;
    end else if (o.kind == K_CONSTANT) begin
      base = {16'b0, bank_base[o.index[3:0]]};
      limit = {16'b0, bank_bytes[o.index[3:0]]};
    end else if (o.kind == K_LOCAL) begin
      // Each thread has its own stretch; the row's first one begins here.
      base = (32'(info.warp) * 32'd32 + 32'(info.row) * SPS) * configuration.local_bytes;
      limit = configuration.local_bytes;
    end
    for (int lane = 0; lane < SPS; lane++) begin
      relative[lane] = o.kind == K_GLOBAL ? (beyond ? 32'b0 : register_data[lane]) :
                       {16'b0, offset + (has_address_register ? address_value[lane] : 16'b0)};
      absolute[lane] = relative[lane] + base +
                       (o.kind == K_LOCAL ? 32'(lane) * configuration.local_bytes : 32'b0);
    end
  end

  wire [SPS-1:0] check_lanes = executed[32'(check_row)*SPS+:SPS];
  cause_t memory_cause;
  logic [4:0] memory_lane;
  logic [31:0] wrong_address;
  flexgrip_memory_check #(SPS) check (
      .configuration,      .kind(o.kind), .lanes(uniform && o.kind != K_GLOBAL ? {{(SPS-1){1'b0}}, 1'b1} : check_lanes),
      .addresses(relative), .bytes(bytes_of(o.access)), .limit, .cause(memory_cause),
      .lane(memory_lane), .address(wrong_address));
  wire checks_now = (state == CHECK && is_memory(o.kind) && o.kind != K_GLOBAL) || state == CHECK_REGISTER;

  always_comb begin
    faults = 1'b0;
    fault = '{CAUSE_NONE, info.pc, 32'b0, info.warp, 5'd0};
    if (state == DECIDE && control_cause != CAUSE_NONE) begin
      faults = 1'b1;
      fault.cause = control_cause;
      fault.lane = first_lane(active);
    end else if (checks_now && memory_cause != CAUSE_NONE) begin
      faults = 1'b1;
      fault.cause = memory_cause;
      fault.address = wrong_address;
      fault.lane = uniform && o.kind != K_GLOBAL ? first_lane(executed) :
                   5'(32'(check_row) * SPS + 32'(memory_lane));
    end else if (bus_faults) begin
      faults = 1'b1;
      fault.cause = bus_cause;
      fault.address = bus_address;
      fault.lane = 5'(32'(info.row) * SPS + 32'(bus_lane));
    end
  end

  // ---- Registers ----
  wire [7:0] register_number = {1'b0, o.index} + {6'b0, word};
  wire beyond = register_number >= registers;
  wire asks = (state == CHECK && o.kind == K_GLOBAL) || state == OPERAND || state == ADDRESS;
  wire [1:0] asked_row = state == CHECK ? check_row : info.row;
  assign read_register = asks;
  assign register_row = REGISTER_ROW_BITS'((32'(info.warp) * 32'(registers) + 32'(register_number)) * ROWS +
                                           32'(asked_row));

  // ---- Memory ----
  logic loads, loaded, reads;
  logic [3:0][SPS-1:0][31:0] load_data;
  flexgrip_lane_loader #(SPS) loader (
      .clock, .reset, .start(loads), .uniform(load_uniform), .lanes, .addresses(load_addresses),
      .bytes(bytes_of(o.access)), .done(loaded), .data(load_data), .read(reads),
      .address(memory_address), .read_data(memory_data));
  wire load_uniform = uniform && o.kind != K_GLOBAL && o.kind != K_LOCAL;
  logic [SPS-1:0][31:0] load_addresses;
  assign read_shared = reads && o.kind == K_SHARED;
  assign read_constant = reads && o.kind == K_CONSTANT;
  assign read_global = reads && o.kind == K_GLOBAL;
  assign read_local = reads && o.kind == K_LOCAL;
  wire [7:0] memory_data = o.kind == K_SHARED ? shared_data :
                           o.kind == K_CONSTANT ? constant_data :
                           o.kind == K_LOCAL ? local_data : global_data;
  assign loads = (state == OPERAND && executed != 32'b0 && (o.kind == K_SHARED || o.kind == K_CONSTANT || o.kind == K_LOCAL)) ||
                 (state == REGISTER && o.kind == K_GLOBAL && !on_bus);

  logic bus_done, bus_faults;
  cause_t bus_cause;
  logic [$clog2(SPS)-1:0] bus_lane;
  logic [3:0][SPS-1:0][31:0] bus_loaded;
  flexgrip_bus_lanes #(SPS) bus (
      .clock, .reset, .null_page(configuration.null_page),
      .start(on_bus && (state == REGISTER || state == ADDRESS_REGISTER)), .lanes,
      .addresses(relative), .bytes(bus_bytes), .stored(wide), .done(bus_done), .faults(bus_faults),
      .cause(bus_cause), .lane(bus_lane), .address(bus_address), .loaded(bus_loaded),
      .clear_cycles(enters), .cycles(bus_cycles), .request(bus_request), .data(bus_data),
      .answered(bus_answered), .error(bus_error), .answer(bus_answer));
  assign bus_write = state == STORE;
  assign bus_bytes = bytes_of(o.access);
  wire arrived = on_bus ? bus_done : loaded;
  wire [3:0][SPS-1:0][31:0] arrived_data = on_bus ? bus_loaded : load_data;

  function automatic logic [31:0] extended(input logic [31:0] value, input type_t access);
    case (access)
      TYPE_S8: extended = {{24{value[7]}}, value[7:0]};
      TYPE_S16: extended = {{16{value[15]}}, value[15:0]};
      default: extended = value;
    endcase
  endfunction
  // A constant that is read as a half takes the sign that the operation gives it.
  wire type_t load_type = o.access == TYPE_B16 && is_signed(i.operation_type) ? TYPE_S16 : o.access;

  // The cost of FADD depends on operands of threads that do not execute it.
  function automatic logic counts_signs(input decoded_t d);
    counts_signs = d.cost == COST_FLOAT_ADD;
  endfunction

  // The operand that has come, by lanes
  logic [SPS-1:0][31:0] value;
  always_comb
    for (int lane = 0; lane < SPS; lane++) begin
      logic [15:0] half;
      half = o.high ? register_data[lane][31:16] : register_data[lane][15:0];
      case (o.kind)
        K_IMMEDIATE: value[lane] = o.value;
        K_ADDRESS:
        value[lane] = o.index >= 7'd1 && o.index <= 7'd4 ? {16'b0, address_value[lane]} : 32'b0;
        K_REGISTER: value[lane] = beyond ? 32'b0 : register_data[lane];
        K_HALF:
        value[lane] = beyond ? 32'b0 : {{16{is_signed(i.operation_type) && !i.shifts_halves && half[15]}}, half};
        default: value[lane] = extended(arrived_data[0][lane], load_type);
      endcase
      // Nobody's: positive, where it would be the same for all lanes, else zero
      if (not_loaded) value[lane] = {uniform && o.negate, 31'b0};
    end
  wire stores = i.destination.kind == K_SHARED || i.destination.kind == K_GLOBAL ||
                i.destination.kind == K_LOCAL;
  wire not_loaded = executed == 32'b0 && (is_memory(o.kind) || o.kind == K_IMMEDIATE);
  wire comes = (state == OPERAND && (o.kind == K_IMMEDIATE || o.kind == K_ADDRESS || not_loaded)) ||
               (state == REGISTER && o.kind != K_GLOBAL) || (state == LOAD && arrived);

  task automatic next_operand();
    word <= 2'd0;
    if (operand == 2'd2 && stores) begin
      operand <= 2'd3;
      state <= ADDRESS;
    end else if (operand == 2'd2) state <= DONE;
    else begin
      operand <= operand + 2'd1;
      state <= OPERAND;
    end
  endtask

  task automatic next_check();
    check_row <= 2'd0;
    if (operand == 2'd3) begin
      operand <= 2'd0;
      state <= OPERAND;
    end else begin
      operand <= operand + 2'd1;
      state <= CHECK;
    end
  endtask

  always_ff @(posedge clock) begin
    if (busy && count != ~32'd0) count <= count + 32'd1;
    case (state)
      PREDICATE: begin
        executed <= i.cause != CAUSE_NONE ? active : active & holds;
        state <= DECIDE;
      end
      DECIDE:
      if (!flow_busy) begin
        pops <= info.costs.joins && depth != 6'd0;
        held <= decided;
        operand <= 2'd0;
        check_row <= 2'd0;
        state <= i.cost == COST_NOTHING || i.unit == UNIT_CONTROL ? DONE :
                 executed != 32'b0 ? CHECK : counts_signs(i) ? OPERAND : DONE;
      end
      CHECK:
      if (on_bus) next_check();  // each lane when its turn comes
      else if (o.kind == K_GLOBAL) state <= CHECK_REGISTER;
      else if (is_memory(o.kind) && !uniform && check_row != 2'(ROWS - 1)) check_row <= check_row + 2'd1;
      else next_check();
      CHECK_REGISTER:
      if (check_row != 2'(ROWS - 1)) begin
        check_row <= check_row + 2'd1;
        state <= CHECK;
      end else next_check();
      OPERAND:
      case (o.kind)
        K_REGISTER, K_HALF, K_GLOBAL: state <= REGISTER;
        K_SHARED, K_CONSTANT, K_LOCAL:
        if (executed == 32'b0) next_operand();
        else state <= LOAD;
        default: next_operand();
      endcase
      REGISTER:
      if (o.kind == K_GLOBAL) state <= LOAD;
      else if ({1'b0, word} + 3'd1 < o.words) begin
        word <= word + 2'd1;
        state <= OPERAND;
      end else next_operand();
      LOAD: if (arrived) next_operand();
      ADDRESS:
      if (o.kind == K_GLOBAL) state <= ADDRESS_REGISTER;
      else begin
        addresses <= absolute;
        state <= DONE;
      end
      ADDRESS_REGISTER: begin
        addresses <= relative;
        state <= on_bus ? STORE : DONE;
      end
      STORE: if (bus_done) state <= DONE;
      default: ;
    endcase
    if (comes) begin
      if (word == 2'd0)
        case (operand)
          2'd0: a <= value;
          2'd1: b <= value;
          default: c <= value;
        endcase
      if (operand == 2'd0) begin
        for (int n = 0; n < 4; n++) if (word == 2'(n)) wide[n] <= value;
        if (state == LOAD) wide <= {arrived_data[3:1], value};
      end
    end
    if (leaves) state <= EMPTY;
    if (enters) begin
      info <= enters_info;
      count <= 32'd1;
      operand <= 2'd0;
      word <= 2'd0;
      if (enters_info.first) begin
        state <= PREDICATE;
        pops <= 1'b0;
      end else begin
        state <= enters_info.instruction.cost == COST_NOTHING ||
                 enters_info.instruction.unit == UNIT_CONTROL ||
                 (executed == 32'b0 && !counts_signs(enters_info.instruction)) ? DONE : OPERAND;
      end
    end
    if (reset) state <= EMPTY;
  end

  // Loads take their addresses along: their operand's registers do not stand still.
  always_ff @(posedge clock) if (loads) load_addresses_held <= absolute;
  logic [SPS-1:0][31:0] load_addresses_held;
  assign load_addresses = load_addresses_held;

  // What is decided for the instruction; a NOP leaves in the cycle in which it is.
  decision_t decided, held;
  always_comb begin
    decided.active_threads = 6'($countones(active));
    decided.diverges = diverges;
    decided.more_first = pushes || diverges ? 16'(EXECUTE_PUSH) :
                         i.cost == COST_BREAK && executed == active ? 16'(EXECUTE_POP) : 16'd0;
    decided.more_each = i.cost == COST_RETURN && depth == 6'd0 ? 16'(EXECUTE_EXIT) : 16'd0;
  end
  assign decision = state == DECIDE ? decided : held;
endmodule
