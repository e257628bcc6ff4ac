// SPDX-License-Identifier: Apache-2.0
// What the SPs make of one lane's operands (docs/g80.md, "Integer", "Data movement",
// "Conversions"; floats are in flexgrip_float_pkg): result and flags.  Halves of registers arrive extended to 32 bits, or, where the
// operation takes words and shifts them itself, in the low half.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
package flexgrip_alu_pkg;
  import g80_pkg::*;
  import flexgrip_pkg::*;
  import flexgrip_float_pkg::*;

  typedef struct packed {
    logic [31:0] result;
    logic overflow, carry, sign, zero;
  } lane_t;

  // What a lane knows beside its operands.
  typedef struct packed {
    logic [3:0] flags;  // of the condition register that is read: O C S Z
    logic [31:0] physical_id, clock;
    logic has_multiplier;
  } lane_state_t;

  function automatic lane_t add(input logic [31:0] x, y, input logic carry_in, saturate, half);
    lane_t r;
    logic [31:0] mask, sum;
    logic xs, ys, ss;
    mask = half ? 32'hffff : 32'hffff_ffff;
    sum = (x + y + {31'b0, carry_in}) & mask;
    xs = half ? x[15] : x[31];
    ys = half ? y[15] : y[31];
    ss = half ? sum[15] : sum[31];
    r = '0;
    r.carry = (xs && ys) || ((xs || ys) && !ss);
    r.overflow = xs == ys && xs != ss;
    r.result = sum;
    if (saturate && r.overflow) r.result = ss ? mask >> 1 : mask & ~(mask >> 1);
    add = r;
  endfunction

  function automatic logic [31:0] extend16(input logic [31:0] x, input logic is_signed_half);
    extend16 = {{16{is_signed_half && x[15]}}, x[15:0]};
  endfunction

  function automatic logic [31:0] product(input decoded_t d, input logic [31:0] a, b);
    /*verilator no_inline_task*/
    logic signed [24:0] wa, wb;
    logic signed [47:0] wide;
    logic is_wide, sa, sb;
    is_wide = d.source[0].operand_type == TYPE_U24 || d.source[0].operand_type == TYPE_S24;
    sa = is_signed(d.source[0].operand_type);
    sb = is_wide ? sa : d.source[1].operand_type == TYPE_S16;
    wa = is_wide ? {sa && a[23], a[23:0]} : {{9{sa && a[15]}}, a[15:0]};
    wb = is_wide ? {sb && b[23], b[23:0]} : {{9{sb && b[15]}}, b[15:0]};
    wide = 48'(wa) * 48'(wb);
    product = is_wide && d.high ? wide[47:16] : wide[31:0];
  endfunction

  function automatic lane_t shift(input decoded_t d, input logic [31:0] a, b, input logic half);
    /*verilator no_inline_task*/
    lane_t r;
    logic [31:0] mask, value, count, width;
    mask = half ? 32'hffff : 32'hffff_ffff;
    width = half ? 32'd16 : 32'd32;
    value = a & mask;
    count = d.source[1].kind == K_IMMEDIATE ? b : b & mask;
    r = '0;
    if (d.operation == OP_SHIFT_LEFT) begin
      if (count < width) r.result = (value << count[4:0]) & mask;
      if (count != 32'd0 && count < width) r.carry = 1'(value >> (width - count));
    end else begin
      if (is_signed(d.operation_type))
        r.result = 32'($signed(a) >>> (count < 32'd32 ? count[4:0] : 5'd31)) & mask;
      else if (count < width) r.result = value >> count[4:0];
      if (count != 32'd0 && count < width) r.carry = 1'(value >> (count - 32'd1));
    end
    r.overflow = count == 32'd1 && (half ? value[15] != r.result[15] : value[31] != r.result[31]);
    shift = r;
  endfunction

  // Integers to integers, which clamp.
  function automatic logic [31:0] convert(input decoded_t d, input logic [31:0] a);
    /*verilator no_inline_task*/
    logic signed [33:0] value, low, high;
    value = integer_of(a, d.source[0].operand_type);
    if (d.source[0].absolute && value < 0) value = -value;
    if (d.source[0].negate) value = -value;
    case (d.operation_type)
      TYPE_U8: begin low = 0; high = 34'shff; end
      TYPE_S8: begin low = -34'sh80; high = 34'sh7f; end
      TYPE_U16, TYPE_B16: begin low = 0; high = 34'shffff; end
      TYPE_S16: begin low = -34'sh8000; high = 34'sh7fff; end
      TYPE_S32: begin low = -34'sh8000_0000; high = 34'sh7fff_ffff; end
      default: begin low = 0; high = 34'shffff_ffff; end
    endcase
    if (value < low) value = low;
    if (value > high) value = high;
    convert = value[31:0];
  endfunction

  function automatic lane_t execute_lane(input decoded_t d, input logic [31:0] a, b, c,
                                         input lane_state_t lane);
    /*verilator no_inline_task*/
    lane_t r;
    logic half, less;
    logic [31:0] mask, bias, x, y;
    half = is_half(d.operation_type) && !d.whole_words;
    mask = half ? 32'hffff : 32'hffff_ffff;
    bias = {is_signed(d.operation_type), 31'b0};
    x = a ^ (d.source[0].invert ? mask : 32'b0);
    y = b ^ (d.source[1].invert ? mask : 32'b0);
    less = (a ^ bias) < (b ^ bias);
    r = '0;
    case (d.operation)
      OP_SHIFT_TO_ADDRESS: r.result = {16'b0, 16'(a << b[3:0])};
      OP_ADD_ADDRESS: r.result = {16'b0, a[15:0] + b[15:0]};
      OP_MOVE_FROM_CONDITION: r.result = {28'b0, lane.flags};
      OP_MOVE_FROM_SPECIAL:
      r.result = d.source[0].index == 7'd0 ? lane.physical_id :
                 d.source[0].index == 7'd1 ? lane.clock : 32'b0;
      OP_ADD:
      r = add((a & mask) ^ (d.combine == REVERSE_SUBTRACT ? mask : 32'b0),
              (b & mask) ^ (d.combine == SUBTRACT ? mask : 32'b0),
              d.combine == ADD_CARRY ? lane.flags[2] : d.combine != ADD, d.saturate, half);
      OP_MULTIPLY: if (lane.has_multiplier) r.result = product(d, a, b);
      OP_MULTIPLY_ADD:
      if (lane.has_multiplier)
        r = add(product(d, a, b) ^ {32{d.combine == REVERSE_SUBTRACT}}, c ^ {32{d.combine == SUBTRACT}},
                d.combine == ADD_CARRY ? lane.flags[2] : d.combine != ADD, d.saturate, 1'b0);
      OP_SUM_ABSOLUTE_DIFFERENCE:
      r = add(((a ^ bias) > (b ^ bias) ? a - b : b - a) & mask, c & mask, 1'b0, 1'b0, half);
      OP_SET:
      r.result = {32{(d.compare[0] && less) || (d.compare[1] && a == b) ||
                     (d.compare[2] && !less && a != b)}};
      OP_MAX: r.result = less ? b : a;
      OP_MIN: r.result = less ? a : b;
      OP_SHIFT_LEFT, OP_SHIFT_RIGHT: r = shift(d, a, b, half);
      OP_AND: r.result = x & y;
      OP_OR: r.result = x | y;
      OP_XOR: r.result = x ^ y;
      OP_PASS_SECOND: r.result = y;
      OP_CONVERT: r.result = convert(d, a);
      default: r.result = a;  // moves, loads
    endcase
    r.zero = (r.result & mask) == 32'b0;
    r.sign = half ? r.result[15] : r.result[31];
    if (d.operation == OP_MOVE_TO_CONDITION) {r.overflow, r.carry, r.sign, r.zero} = a[3:0];
    execute_lane = r;
  endfunction

  // Floats are apart: a device without them has none of this.
  function automatic logic computes_floats(input decoded_t d);
    case (d.operation)
      OP_CONVERT: computes_floats = is_float(d.operation_type) || is_float(d.source[0].operand_type);
      OP_FLOAT_ADD, OP_FLOAT_MULTIPLY, OP_FLOAT_MULTIPLY_ADD, OP_FLOAT_SET, OP_FLOAT_MAX,
      OP_FLOAT_MIN, OP_FLOAT_SELECT:
      computes_floats = 1'b1;
      default: computes_floats = 1'b0;
    endcase
  endfunction

  function automatic lane_t execute_float_lane(input decoded_t d, input logic [31:0] a, b, c,
                                               input logic flush_denormals);
    /*verilator no_inline_task*/
    lane_t r;
    r = '0;
    r.result = d.operation == OP_CONVERT ? float_convert(d, a, flush_denormals) :
               float_operation(d, a, b, c, flush_denormals);
    if (is_half(d.operation_type) && !d.whole_words) begin
      r.zero = r.result[15:0] == 16'b0;
      r.sign = r.result[15];
    end else begin
      r.zero = r.result == 32'b0;
      r.sign = r.result[31];
    end
    // A number is zero or negative; both together say that it is none.
    if ((d.unit == UNIT_FLOAT && d.operation != OP_FLOAT_SET) ||
        (d.operation == OP_CONVERT && d.operation_type == TYPE_F32)) begin
      r.zero = r.result[30:0] == 31'b0 || is_nan(r.result);
      r.sign = (r.result[31] && r.result[30:0] != 31'b0) || is_nan(r.result);
    end
    execute_float_lane = r;
  endfunction
endpackage
