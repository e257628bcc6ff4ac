// SPDX-License-Identifier: Apache-2.0
// Single precision (docs/g80.md, "Floating point", "Conversions"): what the SPs compute of one lane.
// A number is brought into the form magnitude * 2^exponent and rounded once, by `rounded`; bits that
// are shifted out on the way stay in the lowest one, which is all that rounding asks of them.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
package flexgrip_float_pkg;
  import g80_pkg::*;
  import flexgrip_pkg::*;

  localparam logic [31:0] NOT_A_NUMBER = 32'h7fff_ffff, ONE = 32'h3f80_0000;
  localparam logic [30:0] INFINITY = 31'h7f80_0000;
  localparam logic [1:0] NEAREST = 2'd0, DOWN = 2'd1, UP = 2'd2;  // 3: to zero

  function automatic logic is_nan(input logic [31:0] x);
    is_nan = x[30:0] > INFINITY;
  endfunction
  function automatic logic [31:0] flushed(input logic [31:0] x, input logic flush);
    flushed = flush && x[30:23] == 8'd0 ? {x[31], 31'b0} : x;
  endfunction
  function automatic logic [31:0] canonical(input logic [31:0] x);
    canonical = is_nan(x) ? NOT_A_NUMBER : x;
  endfunction
  // To [0, 1]; a NaN becomes 0.
  function automatic logic [31:0] saturated(input logic [31:0] x);
    saturated = is_nan(x) || x[31] ? 32'b0 : x > ONE ? ONE : x;
  endfunction

  // A finite number is significand * 2^(exponent - 150).
  function automatic logic [23:0] significand(input logic [31:0] x);
    significand = {x[30:23] != 8'd0, x[22:0]};
  endfunction
  function automatic logic signed [11:0] exponent(input logic [31:0] x);
    exponent = x[30:23] == 8'd0 ? 12'sd1 : {4'b0, x[30:23]};
  endfunction

  // Away from zero by one, for what lies behind the last bit.
  function automatic logic goes_up(input logic [1:0] rounding, input logic sign, odd, half, rest);
    case (rounding)
      NEAREST: goes_up = half && (rest || odd);
      DOWN: goes_up = sign && (half || rest);
      UP: goes_up = !sign && (half || rest);
      default: goes_up = 1'b0;
    endcase
  endfunction

  // magnitude * 2^power as a number with so many bits of fraction, whose lowest bit is worth
  // 2^lowest at least; "infinite" is its encoding of infinity.
  function automatic logic [30:0] rounded(input logic sign, input logic [63:0] magnitude,
                                          input logic signed [11:0] power, input logic [1:0] rounding,
                                          input logic to_half);
    logic signed [11:0] lead, shift, lowest, least, units;
    logic [63:0] kept, lost, wide;
    logic [30:0] encoded, infinite;
    lead = 12'sd0;
    wide = magnitude;
    for (int step = 32; step > 0; step >>= 1)
      if ((wide >> step) != 64'b0) begin
        wide >>= step;
        lead += 12'(step);
      end
    lowest = to_half ? -12'sd24 : -12'sd149;
    infinite = to_half ? 31'h7c00 : INFINITY;
    shift = lead - (to_half ? 12'sd10 : 12'sd23);
    least = lowest - power;
    if (shift < least) shift = least;
    if (shift <= 12'sd0) begin
      kept = magnitude << 6'(-shift);
      lost = 64'b0;
    end else if (shift > 12'sd64) begin
      kept = 64'b0;
      lost = {63'b0, magnitude != 64'b0};
    end else begin
      kept = shift == 12'sd64 ? 64'b0 : magnitude >> 6'(shift);
      lost = magnitude << 6'(12'sd64 - shift);
      if (shift == 12'sd64) lost = magnitude;
    end
    // Counted in units of the lowest bit, a carry moves into the exponent by itself.
    units = shift + power - lowest;
    encoded = (31'(units) << (to_half ? 10 : 23)) + 31'(kept);
    if (units > (to_half ? 12'sd30 : 12'sd254)) encoded = infinite;
    if (encoded < infinite && goes_up(rounding, sign, kept[0], lost[63], lost[62:0] != 63'b0))
      encoded += 31'd1;
    else if (encoded >= infinite)
      encoded = rounding == NEAREST || rounding == (sign ? DOWN : UP) ? infinite : infinite - 31'd1;
    rounded = encoded;
  endfunction

  function automatic logic [31:0] float_add(input logic [31:0] a, b, input logic [1:0] rounding);
    /*verilator no_inline_task*/
    logic [31:0] big, little;
    logic signed [11:0] distance;
    logic [63:0] x, y, sum;
    big = a[30:0] >= b[30:0] ? a : b;
    little = a[30:0] >= b[30:0] ? b : a;
    if (is_nan(a) || is_nan(b)) float_add = NOT_A_NUMBER;
    else if (big[30:0] == INFINITY)
      float_add = little[30:0] == INFINITY && a[31] != b[31] ? NOT_A_NUMBER : big;
    else begin
      distance = exponent(big) - exponent(little);
      x = {8'b0, significand(big), 32'b0};
      y = {8'b0, significand(little), 32'b0};
      y = distance > 12'sd60 ? {63'b0, y != 64'b0} :
          (y >> 6'(distance)) | {63'b0, (y & ((64'd1 << 6'(distance)) - 64'd1)) != 64'b0};
      sum = big[31] == little[31] ? x + y : x - y;
      float_add = sum == 64'b0 ? {a[31] && b[31], 31'b0} :
                  {big[31], rounded(big[31], sum, exponent(big) - 12'sd182, rounding, 1'b0)};
    end
  endfunction

  function automatic logic [31:0] float_multiply(input logic [31:0] a, b, input logic [1:0] rounding);
    /*verilator no_inline_task*/
    logic sign;
    logic [63:0] product;
    sign = a[31] ^ b[31];
    product = {40'b0, significand(a)} * {40'b0, significand(b)};
    if (is_nan(a) || is_nan(b)) float_multiply = NOT_A_NUMBER;
    else if (a[30:0] == INFINITY || b[30:0] == INFINITY)
      float_multiply = a[30:0] == 31'b0 || b[30:0] == 31'b0 ? NOT_A_NUMBER : {sign, INFINITY};
    else
      float_multiply = product == 64'b0 ? {sign, 31'b0} :
                       {sign, rounded(sign, product, exponent(a) + exponent(b) - 12'sd300, rounding, 1'b0)};
  endfunction

  // Less 1, equal 2, greater 4, unordered 8.
  function automatic logic [3:0] relation(input logic [31:0] a, b);
    logic less;
    less = a[31] != b[31] ? a[31] : a[31] ? a[30:0] > b[30:0] : a[30:0] < b[30:0];
    relation = is_nan(a) || is_nan(b) ? 4'd8 :
               a == b || (a[30:0] == 31'b0 && b[30:0] == 31'b0) ? 4'd2 : less ? 4'd1 : 4'd4;
  endfunction

  function automatic logic [31:0] from_half(input logic [15:0] half);
    logic [63:0] fraction;
    fraction = {54'b0, half[9:0]};
    from_half = {half[15], half[14:10] == 5'h1f ? {8'hff, half[9:0], 13'b0} :
                           half[14:10] != 5'd0 ? {8'(half[14:10]) + 8'd112, half[9:0], 13'b0} :
                           half[9:0] == 10'd0 ? 31'b0 : rounded(1'b0, fraction, -12'sd24, NEAREST, 1'b0)};
  endfunction

  // A number without its fraction: magnitude, or "many" where 40 bits do not hold it.
  typedef struct packed {
    logic many;
    logic [39:0] magnitude;
  } whole_t;
  function automatic whole_t whole(input logic [31:0] x, input logic [1:0] rounding);
    logic signed [11:0] places;  // behind the point
    logic [63:0] wide;
    places = 12'sd150 - exponent(x);
    whole.many = places < -12'sd16;
    wide = {8'b0, significand(x), 32'b0};
    if (places > 12'sd25) wide = {63'b0, wide != 64'b0};
    else if (places >= 12'sd0) wide >>= 6'(places);
    whole.magnitude = places < 12'sd0 ? {16'b0, significand(x)} << 5'(-places) : {8'b0, wide[63:32]};
    if (places > 12'sd0 && goes_up(rounding, x[31], wide[32], wide[31], wide[30:0] != 31'b0))
      whole.magnitude += 40'd1;
  endfunction

  // Integers and numbers to numbers and integers, where a number is on one side at least.
  function automatic logic [31:0] float_convert(input decoded_t d, input logic [31:0] bits,
                                                input logic flush);
    /*verilator no_inline_task*/
    logic from_float, to_half, sign;
    logic signed [33:0] integer_value;
    logic [31:0] x, y;
    whole_t integral;
    logic [32:0] most;  // of an integer destination, in the direction of the sign
    operand_t source;
    source = d.source[0];
    from_float = is_float(source.operand_type);
    to_half = d.operation_type == TYPE_F16;
    if (from_float) begin
      x = source.operand_type == TYPE_F16 ? from_half(bits[15:0]) : flushed(bits, flush);
      if (source.absolute) x[31] = 1'b0;
      if (source.negate) x[31] = !x[31];
    end else begin
      integer_value = integer_of(bits, source.operand_type);
      if (source.absolute && integer_value < 0) integer_value = -integer_value;
      if (source.negate) integer_value = -integer_value;
      sign = integer_value < 0;
      if (sign) integer_value = -integer_value;
      x = integer_value == 0 ? 32'b0 :
          {sign, rounded(sign, {30'b0, integer_value}, 12'sd0, d.rounding, 1'b0)};
    end
    integral = whole(x, d.rounding);
    if (is_float(d.operation_type)) begin
      y = x;
      if (from_float && d.round_to_integer && x[30:0] < INFINITY && !integral.many)
        y = {x[31], integral.magnitude == 40'd0 ? 31'b0 :
             rounded(x[31], {24'b0, integral.magnitude}, 12'sd0, NEAREST, 1'b0)};
      y = canonical(to_half ? y : flushed(y, flush));
      if (d.saturate) y = saturated(y);
      if (to_half)
        y = is_nan(y) ? 32'h7fff : y[30:0] == INFINITY ? {16'b0, y[31], 15'h7c00} :
            y[30:0] == 31'b0 ? {16'b0, y[31], 15'b0} :
            {16'b0, y[31], 15'(rounded(y[31], {40'b0, significand(y)}, exponent(y) - 12'sd150,
                                       d.rounding, 1'b1))};
      float_convert = y;
    end else begin
      case (d.operation_type)
        TYPE_U8: most = x[31] ? 33'd0 : 33'hff;
        TYPE_S8: most = x[31] ? 33'h80 : 33'h7f;
        TYPE_U16, TYPE_B16: most = x[31] ? 33'd0 : 33'hffff;
        TYPE_S16: most = x[31] ? 33'h8000 : 33'h7fff;
        TYPE_S32: most = x[31] ? 33'h8000_0000 : 33'h7fff_ffff;
        default: most = x[31] ? 33'd0 : 33'hffff_ffff;
      endcase
      if (!integral.many && integral.magnitude < {7'b0, most}) most = integral.magnitude[32:0];
      float_convert = is_nan(x) ? 32'b0 : x[31] ? -most[31:0] : most[31:0];
    end
  endfunction

  // FADD, FMUL, FMAD, FSET, FMAX, FMIN, FCMP; operands with their modifiers (absolute, negate).
  function automatic logic [31:0] float_operation(input decoded_t d, input logic [31:0] a_bits, b_bits,
                                                  c_bits, input logic flush);
    /*verilator no_inline_task*/
    logic [31:0] a, b, c, r;
    logic [3:0] order;
    a = flushed({(a_bits[31] && !d.source[0].absolute) ^ d.source[0].negate, a_bits[30:0]}, flush);
    b = flushed({(b_bits[31] && !d.source[1].absolute) ^ d.source[1].negate, b_bits[30:0]}, flush);
    c = flushed({c_bits[31] ^ d.source[2].negate, c_bits[30:0]}, flush);
    order = relation(a, b);
    case (d.operation)
      OP_FLOAT_ADD: r = flushed(float_add(a, b, d.rounding), flush);
      OP_FLOAT_MULTIPLY: r = flushed(float_multiply(a, b, d.rounding), flush);
      OP_FLOAT_MULTIPLY_ADD:
      r = flushed(float_add(flushed(float_multiply(a, b, NEAREST), flush), c, NEAREST), flush);
      OP_FLOAT_MAX, OP_FLOAT_MIN:
      r = is_nan(a) ? canonical(b) : is_nan(b) ? a :
          order[0] == (d.operation == OP_FLOAT_MAX) ? b : a;
      OP_FLOAT_SET: r = {32{(d.compare & order) != 4'b0}};
      default: r = relation(c, 32'b0) == 4'd4 || relation(c, 32'b0) == 4'd2 ? a_bits : b_bits;
    endcase
    float_operation = d.saturate ? saturated(r) : r;
  endfunction
endpackage
