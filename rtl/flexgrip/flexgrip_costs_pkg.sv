// SPDX-License-Identifier: Apache-2.0
// What an instruction costs in each stage (docs/flexgrip-timing.md): clock cycles, from the costs of
// flexgrip_timing_pkg and those that the configuration chooses (t).  What depends on its execution is added where it is known.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
package flexgrip_costs_pkg;
  import g80_pkg::*;
  import flexgrip_pkg::*;
  import flexgrip_timing_pkg::*;

  // Register numbers as encoded, also of halves.
  localparam logic [7:0] ZERO_REGISTER = 8'd124, DISCARD_REGISTER = 8'd127;

  function automatic logic [7:0] encoded_number(input operand_t o);
    encoded_number = o.kind == K_HALF ? {o.index, o.high} : {1'b0, o.index};
  endfunction

  function automatic logic [15:0] register_cost(input timing_t t, input operand_t o);
    register_cost = (encoded_number(o) == ZERO_REGISTER ? 16'(t.read_zero_register) : 16'(t.read_register)) +
                    (16'(o.words) - 16'd1) * 16'(READ_SECOND_WORD);
  endfunction

  // Whether the decoder of the published RTL knows a type for the second source; gathered from c[], which that RTL lacks,
  // it is charged in each operation.
  function automatic logic reads_second(input decoded_t d);
    logic carry, gathers;
    carry = d.cost == COST_ADD && d.combine == ADD_CARRY;
    gathers = is_memory(d.source[1].kind) && d.source[1].indexed && d.address_register != 3'd0;
    reads_second = gathers || !carry && d.cost != COST_MIN_MAX &&
        (!d.raw_second_immediate || d.address_register != 3'd0 || !is_register(d.source[1].kind) ||
         d.cost == COST_COMPARE);
  endfunction

  function automatic logic types_result(input decoded_t d);
    types_result = !(d.cost == COST_ADD &&
                     (d.combine == ADD_CARRY || d.combine == REVERSE_SUBTRACT)) &&
                   d.cost != COST_COMPARE && d.cost != COST_MIN_MAX;
  endfunction

  // g[$r124]: the address costs less.
  function automatic logic [15:0] address_discount(input timing_t t, input operand_t o);
    address_discount = o.kind == K_GLOBAL && {1'b0, o.index} == ZERO_REGISTER ?
                       16'(t.read_register) - 16'(t.read_zero_register) : 16'd0;
  endfunction

  function automatic costs_t with_memory_source(input timing_t t, input costs_t given, input operand_t o,
                                                input logic [2:0] address_register);
    costs_t c;
    logic [15:0] memory, active;
    logic lanes;
    c = given;
    memory = 16'(READ_BASE);
    lanes = 1'b1;
    if (o.kind == K_GLOBAL) memory += 16'(t.read_global) - address_discount(t, o);
    else if (o.kind == K_LOCAL || (o.indexed && address_register != 3'd0))
      memory += 16'(t.read_gather);
    else begin
      memory += 16'(t.read_direct) + 16'(bytes_of(o.access)) * 16'(t.read_direct_byte);
      lanes = 1'b0;
    end
    if (memory > c.memory) c.memory = memory;
    if (lanes) begin
      c.has_lanes = 1'b1;
      active = 16'(words_of(o.access)) * 16'(t.lane_access) +
               16'(bytes_of(o.access)) * 16'(t.lane_byte);
      if (active > c.lane_active) c.lane_active = active;
      if (16'(LANE_IDLE) > c.lane_idle) c.lane_idle = 16'(LANE_IDLE);
    end
    with_memory_source = c;
  endfunction

  function automatic costs_t read_costs(input timing_t t, input costs_t given, input decoded_t d, input int rows);
    costs_t c;
    logic predicate;
    c = given;
    if (d.cost == COST_NOTHING && d.marker != MARK_JOIN) begin
      c.registers = 16'(READ_NOP);
    end else begin
      predicate = d.form == LONG_CONTROL ? !d.raw_always :
                  d.form == LONG && !(d.cost == COST_ADDRESS_ADD && d.marker == MARK_NONE);
      c.prologue = 16'(READ_MASK);
      if (predicate) c.prologue += 16'(READ_PREDICATE) + 16'(rows) * 16'(t.read_predicate_row);
      if (d.unit == UNIT_CONTROL) begin
        c.registers = 16'(READ_FLOW);
      end else begin
        c.registers = 16'(READ_BASE);
        if (d.combine == ADD_CARRY) c.registers += 16'(READ_CARRY);
        for (int i = 0; i < 3; i++)
          if (i != 1 || reads_second(d)) begin
            if (is_register(d.source[i].kind)) c.registers += register_cost(t, d.source[i]);
            else if (is_memory(d.source[i].kind))
              c = with_memory_source(t, c, d.source[i], d.address_register);
            else if (d.source[i].kind == K_ADDRESS || d.source[i].kind == K_CONDITION ||
                     d.source[i].kind == K_SPECIAL)
              c.registers += 16'(READ_SPECIAL);
          end
        if (d.cost == COST_SHARED_STORE && d.address_register != 3'd0)
          c.registers += 16'(t.read_register);
      end
    end
    read_costs = c;
  endfunction

  // Conversions without a float, and those with one and a negated source, keep the FPU idle.
  function automatic logic [15:0] conversion_cost(input timing_t t, input decoded_t d);
    logic to_float, from_float;
    to_float = is_float(d.operation_type);
    from_float = is_float(d.source[0].operand_type);
    conversion_cost = (to_float || from_float) &&
                      !(to_float != from_float && d.source[0].negate) ?
                      16'(EXECUTE_CONVERSION) : 16'(t.execute_integer);
  endfunction

  function automatic logic [15:0] execute_cost(input timing_t t, input decoded_t d, input int sps);
    case (d.cost)
      COST_NOTHING, COST_MOVE, COST_SHARED_STORE: execute_cost = 16'(EXECUTE_MOVE);
      COST_ADDRESS_SHIFT:
      execute_cost = d.source[1].value == 32'd0 ? 16'(EXECUTE_MOVE) : 16'(t.execute_integer);
      COST_ADDRESS_ADD, COST_INTEGER, COST_ADD, COST_COMPARE, COST_MIN_MAX:
      execute_cost = 16'(t.execute_integer);
      COST_MULTIPLY: execute_cost = 16'(t.execute_multiply);
      COST_MULTIPLY_ADD: execute_cost = 16'(t.execute_multiply_add);
      COST_CONVERSION: execute_cost = conversion_cost(t, d);
      COST_FLOAT_ADD: execute_cost = 16'(EXECUTE_FLOAT_ADD);
      COST_FLOAT_MULTIPLY: execute_cost = 16'(EXECUTE_FLOAT_MULTIPLY);
      COST_FLOAT_MULTIPLY_ADD: execute_cost = 16'(EXECUTE_FLOAT_MULTIPLY_ADD);
      COST_FLOAT_COMPARE: execute_cost = 16'(EXECUTE_FLOAT_COMPARE);
      COST_SPECIAL: execute_cost = 16'(EXECUTE_SPECIAL) + 16'(sps) * 16'(EXECUTE_SPECIAL_LANE);
      default: execute_cost = 16'(EXECUTE_FLOW);
    endcase
  endfunction

  function automatic costs_t with_stores(input timing_t t, input costs_t given, input logic [2:0] words,
                                         input logic [4:0] bytes);
    costs_t c;
    c = given;
    c.has_stores = 1'b1;
    c.store_active = 16'(words) * 16'(t.lane_store) + 16'(bytes) * 16'(t.lane_store_byte);
    c.store_idle = 16'(LANE_IDLE);
    with_stores = c;
  endfunction

  function automatic costs_t write_costs(input timing_t t, input costs_t given, input decoded_t d);
    costs_t c;
    operand_t o;
    c = given;
    o = d.destination;
    case (o.kind)
      K_REGISTER, K_HALF:
      if (encoded_number(o) == DISCARD_REGISTER) c.write = 16'(WRITE_DISCARD);
      else if (o.kind == K_HALF && types_result(d)) c.write = 16'(t.write_half_register);
      else c.write = 16'(WRITE_REGISTER) + (16'(o.words) - 16'd1) * 16'(WRITE_SECOND_WORD);
      K_OUTPUT: c.write = 16'(WRITE_DISCARD);
      K_ADDRESS: c.write = 16'(t.write_address);
      K_SHARED: begin
        c = with_stores(t, c, 3'd1, d.raw_store_size == 3'd0 ? 5'd2 : d.raw_store_size == 3'd1 ? 5'd4 : 5'd1);
        c.write = 16'(WRITE_SHARED) + (d.address_register != 3'd0 ? 16'(t.write_shared_address) : 16'd0);
      end
      K_LOCAL, K_GLOBAL: begin
        c = with_stores(t, c, words_of(o.access), bytes_of(o.access));
        c.write = 16'(t.write_global) - address_discount(t, o);
      end
      default: c.write = 16'(WRITE_NONE);
    endcase
    if (d.raw_condition_write) c.write += 16'(t.write_condition);
    if (d.raw_post_increment) c.write += 16'(WRITE_POST_INCREMENT);
    write_costs = c;
  endfunction

  function automatic costs_t costs_of(input timing_t t, input decoded_t d, input int sps);
    costs_t c;
    c = '0;
    c.fetch = d.form == SHORT || d.form == SHORT_CONTROL ? 16'(t.fetch_short) : 16'(t.fetch_long);
    c = read_costs(t, c, d, WARP_LANES / sps);
    c.execute = execute_cost(t, d, sps);
    c = write_costs(t, c, d);
    c.joins = d.marker == MARK_JOIN;
    c.barrier = d.cost == COST_BARRIER;
    costs_of = c;
  endfunction
endpackage
