// SPDX-License-Identifier: Apache-2.0
// The special function unit (docs/flexgrip.md, models/gpgpu/g80/special_functions.cpp): RCP, RSQ,
// LG2, SIN, COS, EX2 and the range reductions of one lane, without a clock.  A polynomial of the
// interval that the operand lies in, a product, one rounding.  Denormals are zero, on both sides.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_special_function
  import g80_pkg::*;
  import flexgrip_pkg::*;
  import flexgrip_float_pkg::*;
  import flexgrip_special_pkg::*;
(
    input  decoded_t    d,
    input  logic [31:0] operand,
    output logic [31:0] result
);
  localparam logic [31:0] REDUCED_NAN = 32'h4000_0000;
  localparam logic [30:0] REDUCED_INFINITY = 31'h4080_0000;

  // ---- The operand: a float, or a reduced one ----
  logic [31:0] x;
  logic signed [11:0] power;
  logic [23:0] significand_of_x;
  always_comb begin
    x = {(operand[31] && !d.source[0].absolute) ^ d.source[0].negate, operand[30:0]};
    if (d.operation != OP_SINE && d.operation != OP_COSINE && d.operation != OP_EXP2)
      x = flushed(x, 1'b1);
    power = {4'b0, x[30:23]} - 12'sd127;
    significand_of_x = {1'b1, x[22:0]};
  end
  wire none = x[30:0] == 31'b0;
  wire infinite = x[30:0] == INFINITY;

  // Sine: quarter turns, and where in the quarter, from its lower end.
  wire [24:0] turns = x[24:0] + (d.operation == OP_COSINE ? 25'h80_0000 : 25'd0);
  wire [23:0] rise = turns[23] ? 24'h80_0000 - {1'b0, turns[22:0]} : {1'b0, turns[22:0]};
  // Logarithm: the significand between sqrt(1/2) and sqrt(2), less 1, and from there up from -1/2.
  wire above = significand_of_x > 24'hb504f3;
  wire [23:0] distance = above ? -significand_of_x : {x[22:0], 1'b0};
  wire [23:0] from_lower = above ? 24'h80_0000 - distance : 24'h80_0000 + distance;
  wire signed [11:0] whole_part = power + {11'b0, above};
  // Exponential: downwards where it is negative
  wire [30:0] scaled = x[31] ? -{1'b0, x[29:0]} : {1'b0, x[29:0]};
  wire signed [11:0] scaled_power = {{4{scaled[30]}}, scaled[30:23]};

  // ---- The polynomial ----
  polynomial_t c;
  logic [16:0] place;
  logic [63:0] value;
  logic signed [63:0] sum;
  wire [4:0] place_bits = d.operation == OP_LOG2 ? 5'd17 : 5'd16;
  always_comb begin
    case (d.operation)
      OP_EXP2: begin
        c = exp2_polynomial(scaled[22:16]);
        place = {1'b0, scaled[15:0]};
      end
      OP_LOG2: begin
        c = log2_polynomial(from_lower[23:17]);
        place = from_lower[16:0];
      end
      OP_RECIPROCAL_SQRT: begin
        c = rsqrt_polynomial({power[0], x[22:16]});
        place = {1'b0, x[15:0]};
      end
      default: begin
        c = sine_polynomial(rise[22:16]);
        place = {1'b0, rise[15:0]};
      end
    endcase
    sum = 64'(c.c5);
    sum = 64'(c.c4) + ((sum * $signed({47'b0, place})) >>> place_bits);
    sum = 64'(c.c3) + ((sum * $signed({47'b0, place})) >>> place_bits);
    sum = 64'(c.c2) + ((sum * $signed({47'b0, place})) >>> place_bits);
    sum = 64'(c.c1) + ((sum * $signed({47'b0, place})) >>> place_bits);
    sum = 64'(c.c0) + ((sum * $signed({47'b0, place})) >>> place_bits);
    value = sum;
  end

  // ---- Its product with what it is a ratio to, in multiples of 2^-62 (logarithm) or 2^-61 ----
  wire [23:0] factor = d.operation == OP_LOG2 ? distance : rise;
  wire [77:0] whole_product = {54'b0, factor} * {24'b0, value[53:0]};
  wire [63:0] product = whole_product[77:14];
  wire [63:0] summed = {whole_part[8:0], 55'b0} + (above ? -(product >> 7) : product >> 7);

  // ---- Reciprocal: more bits than are kept, and whether any are left ----
  wire [63:0] divisor = {40'b0, significand_of_x};
  wire [63:0] quotient = 64'h1_0000_0000_0000 / divisor;
  wire inexact = quotient * divisor != 64'h1_0000_0000_0000;

  // ---- Range reductions ----
  // x * 2/pi modulo 4, with 62 fraction bits: of 2/pi only what is worth less than 4 turns and more
  // than nothing takes part (Payne and Hanek, 1983).
  wire [7:0] window_at = 8'(12'sd127 - power);
  wire [103:0] window = 104'(TWO_OVER_PI >> window_at);
  wire [103:0] reduced_product = {80'b0, significand_of_x} * window;
  wire [63:0] reduced_turns = reduced_product[103:40] + 64'h40_0000_0000;
  // A number below 128 with 23 fraction bits, to the nearest
  wire [4:0] right = power < -12'sd24 ? 5'd25 : 5'(-power);
  wire [56:0] shifted = {significand_of_x, 33'b0} >> right;
  wire rounds_up = goes_up(NEAREST, 1'b0, shifted[33], shifted[32], shifted[31:0] != 32'b0);
  wire [29:0] nearest = {6'b0, shifted[56:33]} + {29'b0, rounds_up};
  wire [29:0] reduced_power = none ? 30'b0 : power < 12'sd0 ? nearest : {6'b0, significand_of_x} << power[2:0];

  // ---- What is rounded ----
  logic sign;
  logic [63:0] magnitude;
  logic signed [11:0] scale;
  always_comb begin
    sign = x[31];
    magnitude = value;
    scale = scaled_power - 12'sd52;
    case (d.operation)
      OP_RECIPROCAL: begin
        magnitude = {quotient[62:0], inexact};
        scale = -power - 12'sd26;
      end
      OP_RECIPROCAL_SQRT: scale = -(power >>> 1) - 12'sd52;
      OP_LOG2: begin
        sign = whole_part == 12'sd0 ? above : summed[63];
        magnitude = whole_part == 12'sd0 ? product : summed[63] ? -summed : summed;
        scale = whole_part == 12'sd0 ? -12'sd62 : -12'sd55;
      end
      OP_EXP2: sign = 1'b0;
      default: begin
        sign = (x[31] && d.operation == OP_SINE) ^ (turns[24] && rise != 24'b0);
        magnitude = rise[23] ? 64'h2000_0000_0000_0000 : product;
        scale = -12'sd61;
      end
    endcase
  end
  wire [31:0] number = flushed(magnitude == 64'b0 ? {sign, 31'b0} :
                               {sign, rounded(sign, magnitude, scale, NEAREST, 1'b0)}, 1'b1);

  // ---- What is not ----
  logic [31:0] r;
  always_comb begin
    r = number;
    case (d.operation)
      OP_RECIPROCAL:
      if (is_nan(x)) r = NOT_A_NUMBER;
      else if (none || infinite) r = {x[31], none ? INFINITY : 31'b0};
      OP_RECIPROCAL_SQRT, OP_LOG2:
      if (none) r = {d.operation == OP_LOG2 || x[31], INFINITY};
      else if (is_nan(x) || x[31]) r = NOT_A_NUMBER;
      else if (infinite) r = {1'b0, d.operation == OP_LOG2 ? INFINITY : 31'b0};
      OP_EXP2:
      if (x[30]) r = x[30:0] < REDUCED_INFINITY ? NOT_A_NUMBER : {1'b0, x[31] ? 31'b0 : INFINITY};
      OP_PRE_SINE:
      r = is_nan(x) ? REDUCED_NAN : infinite ? {x[31], REDUCED_INFINITY} : none ? {x[31], 31'b0} :
          {x[31], 6'b0, reduced_turns[63:39]};
      OP_PRE_EXP2:
      r = is_nan(x) ? REDUCED_NAN : power >= 12'sd7 ? {x[31], REDUCED_INFINITY} :
          {x[31], 1'b0, reduced_power};
      default: if (x[30]) r = NOT_A_NUMBER;
    endcase
    result = d.saturate ? saturated(r) : r;
  end
endmodule
