// SPDX-License-Identifier: Apache-2.0
// From instruction words to a decoded instruction: which fields an encoding has is in the generated
// table (g80_pkg), where they lie in the words is here (docs/g80.md, section 1).  An instruction that
// cannot be executed has the cause of the fault in it.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
package flexgrip_decoder_pkg;
  import g80_pkg::*;
  import flexgrip_registers_pkg::*;
  import flexgrip_pkg::*;

  function automatic logic any(input row_t row, input logic [$bits(row.fields)-1:0] fields);
    any = (row.fields & fields) != '0;
  endfunction

  function automatic operand_t register_operand(input logic [6:0] number, input logic half);
    operand_t o;
    o = '0;
    o.kind  = half ? K_HALF : K_REGISTER;
    o.index = half ? {1'b0, number[6:1]} : number;
    o.high  = half && number[0];
    o.words = 3'd1;
    register_operand = o;
  endfunction

  // Of accesses the bytes: their number times 1, 2 or 4.
  function automatic logic [31:0] scaled(input logic [31:0] units, input logic [1:0] bits);
    case (bits)
      2'd2: scaled = {units[29:0], 2'b0};
      2'd1: scaled = {units[30:0], 1'b0};
      default: scaled = units;
    endcase
  endfunction

  // An offset counts accesses; it is signed where the address register is incremented by it.
  function automatic logic [31:0] offset_of(input type_t access, input logic [6:0] field,
                                            input logic [2:0] bits, input logic is_increment);
    logic [31:0] units;
    units = {25'b0, field};
    if (is_increment && field[bits-3'd1])
      for (int n = 0; n < 8; n++) if (bits == 3'(n)) units |= ~32'b0 << n;
    offset_of = scaled(units, access == TYPE_B32 ? 2'd2 : access == TYPE_U8 ? 2'd0 : 2'd1);
  endfunction

  function automatic type_t shared_access(input logic [1:0] size);
    case (size)
      2'd0: shared_access = TYPE_U8;
      2'd1: shared_access = TYPE_U16;
      2'd2: shared_access = TYPE_S16;
      default: shared_access = TYPE_B32;
    endcase
  endfunction

  // w0[15:9] or s[].  indexed: the instruction has an address register or increments one.
  function automatic operand_t source1(input logic [31:0] w0, input logic in_memory, half,
                                       is_short, indexed, increments);
    operand_t o;
    if (!in_memory) begin
      o = register_operand(is_short ? {1'b0, w0[14:9]} : w0[15:9], half);
    end else begin
      o = '0;
      o.kind = K_SHARED;
      o.access = shared_access(is_short ? w0[14:13] : w0[15:14]);
      o.indexed = indexed;
      o.value = is_short ? offset_of(o.access, {3'b0, w0[12:9]}, 3'd4, increments)
                         : offset_of(o.access, {2'b0, w0[13:9]}, 3'd5, increments);
    end
    source1 = o;
  endfunction

  function automatic operand_t constant_operand(input logic half, input logic [6:0] offset,
                                                input logic [2:0] bits, input logic [3:0] bank,
                                                input logic indexed, increments);
    operand_t o;
    o = '0;
    o.kind = K_CONSTANT;
    o.access = half ? TYPE_B16 : TYPE_B32;
    o.indexed = indexed;
    o.value = offset_of(o.access, offset, bits, increments && indexed);
    o.index = {3'b0, bank};
    constant_operand = o;
  endfunction

  // Address registers, as of the first operand in memory that has room for one.
  function automatic decoded_t with_address(input decoded_t given, input logic [31:0] w0, w1,
                                            input logic is_long);
    decoded_t d;
    d = given;
    d.address_register = {is_long && w1[2], w0[27:26]};
    d.post_increment = w0[25];
    with_address = d;
  endfunction

  function automatic operand_t immediate_operand(input logic [31:0] w0, w1);
    operand_t o;
    o = '0;
    o.kind = K_IMMEDIATE;
    o.value = {w1[27:2], w0[21:16]};
    immediate_operand = o;
  endfunction

  function automatic type_t access_type(input logic [2:0] code);
    case (code)
      3'd0: access_type = TYPE_U8;
      3'd1: access_type = TYPE_S8;
      3'd2: access_type = TYPE_U16;
      3'd3: access_type = TYPE_S16;
      3'd4: access_type = TYPE_B64;
      3'd5: access_type = TYPE_B128;
      default: access_type = TYPE_B32;
    endcase
  endfunction

  // has_second: the second word is there.
  function automatic decoded_t decode(input logic [31:0] w0, input logic [31:0] second_word,
                                      input logic has_second, multiplier, three_operands,
                                      floating_point);
    row_t row;
    decoded_t d;
    operand_t s0, s1, s2, dst;
    logic [31:0] w1;
    logic is_long, illegal, unsupported, in_shared, indexed, byte_wide, word_wide;
    w1 = w0[0] ? second_word : 32'b0;
    row = row_of(w0, w1);
    d = '0;
    d.form = form_of(w0[1:0], w1[1:0]);
    is_long = d.form == LONG;
    illegal = !row.legal || (w0[0] && !has_second);
    d.operation = row.operation;
    d.unit = row.unit;
    d.cost = row.cost;
    d.operation_type = row.operation_type;
    d.shifts_halves = row.shifts_halves;
    d.whole_words = row.whole_words;
    d.high = row.high;
    d.saturate = row.saturate;
    d.marker = is_long ? marker_t'(w1[1:0]) : MARK_NONE;
    d.raw_always = w1[11:7] == 5'd15;
    d.raw_post_increment = w0[25];
    d.raw_condition_write = (is_long || d.form == LONG_CONTROL) && w1[6];
    d.raw_second_immediate = is_long && w1[20];
    d.raw_store_size = w1[23:21];
    d.lane_mask = 4'hf;
    s0 = '0;
    s1 = '0;
    s2 = '0;
    dst = '0;

    // Predicate, flags, target
    d.truth = 16'hffff;
    if (any(row, has(FIELD_PREDICATE))) begin
      if (!row.unguarded) d.truth = truth_table(w1[11:7]);
      d.condition = w1[13:12];
    end
    if (any(row, has(FIELD_CONDITION_WRITE))) begin
      d.writes_condition = w1[6];
      d.condition_destination = w1[5:4];
    end
    d.target = {8'b0, w1[19:14], w0[26:11], 2'b0};

    // Sources.  s[] in the first place has the address register before c[] in another.
    in_shared = 1'b0;
    indexed = {is_long && w1[2], w0[27:26], w0[25]} != 4'b0;
    if (any(row, has(FIELD_SRC1) | has(FIELD_SRC1_HALF) | has(FIELD_INTEGER_SOURCE) |
                 has(FIELD_FLOAT_SOURCE)))
      in_shared = w1[21];
    if (any(row, has(FIELD_SRC1_SHORT) | has(FIELD_SRC1_SHORT_HALF))) in_shared = w0[24];
    if (in_shared) d = with_address(d, w0, w1, is_long);
    if (any(row, has(FIELD_SRC1) | has(FIELD_SRC1_HALF)))
      s0 = source1(w0, in_shared, any(row, has(FIELD_SRC1_HALF)), 1'b0, indexed, w0[25]);
    if (any(row, has(FIELD_SRC1_SHORT) | has(FIELD_SRC1_SHORT_HALF)))
      s0 = source1(w0, in_shared, any(row, has(FIELD_SRC1_SHORT_HALF)), 1'b1, indexed, w0[25]);
    if (any(row, has(FIELD_SRC1_REGISTER))) s0 = register_operand(w0[15:9], 1'b0);
    if (any(row, has(FIELD_SRC1_SHORT_REGISTER))) s0 = register_operand({1'b0, w0[14:9]}, 1'b0);
    if (any(row, has(FIELD_SRC1_SHORT_REGISTER_HALF)))
      s0 = register_operand({1'b0, w0[14:9]}, 1'b1);
    if (any(row, has(FIELD_SRC2) | has(FIELD_SRC2_HALF)) ||
        (any(row, has(FIELD_SRC2_OR_COUNT) | has(FIELD_SRC2_OR_COUNT_HALF)) && !w1[20])) begin
      if (w0[23]) begin
        s1 = constant_operand(any(row, has(FIELD_SRC2_HALF) | has(FIELD_SRC2_OR_COUNT_HALF)),
                              w0[22:16], 3'd7, w1[25:22], !in_shared && indexed, w0[25]);
        if (!in_shared) d = with_address(d, w0, w1, is_long);
      end else begin
        s1 = register_operand(w0[22:16],
                              any(row, has(FIELD_SRC2_HALF) | has(FIELD_SRC2_OR_COUNT_HALF)));
      end
    end else if (any(row, has(FIELD_SRC2_OR_COUNT) | has(FIELD_SRC2_OR_COUNT_HALF))) begin
      s1.kind  = K_IMMEDIATE;
      s1.value = {25'b0, w0[22:16]};
    end
    if (any(row, has(FIELD_SRC2_SHORT) | has(FIELD_SRC2_SHORT_HALF))) begin
      if (w0[23]) begin
        illegal |= in_shared;
        s1 = constant_operand(any(row, has(FIELD_SRC2_SHORT_HALF)), {2'b0, w0[20:16]}, 3'd5,
                              {3'b0, w0[21]}, !in_shared && indexed, w0[25]);
        if (!in_shared) d = with_address(d, w0, w1, is_long);
      end else begin
        s1 = register_operand({1'b0, w0[21:16]}, any(row, has(FIELD_SRC2_SHORT_HALF)));
      end
    end
    if (any(row, has(FIELD_SRC2_SHORT_REGISTER)))
      s1 = register_operand({1'b0, w0[21:16]}, 1'b0);
    if (any(row, has(FIELD_SRC2_SHORT_REGISTER_HALF)))
      s1 = register_operand({1'b0, w0[21:16]}, 1'b1);
    if (any(row, has(FIELD_SRC3) | has(FIELD_SRC3_AS_SECOND) | has(FIELD_SRC3_AS_SECOND_HALF)))
    begin
      operand_t third;
      logic half, first_in_memory;
      half = any(row, has(FIELD_SRC3_AS_SECOND_HALF));
      first_in_memory = in_shared || s1.kind == K_CONSTANT;
      if (w0[24]) begin
        illegal |= s1.kind == K_CONSTANT;
        third = constant_operand(half, w1[20:14], 3'd7, w1[25:22], !first_in_memory && indexed,
                                 w0[25]);
        if (!first_in_memory) d = with_address(d, w0, w1, is_long);
      end else begin
        third = register_operand(w1[20:14], half);
      end
      if (any(row, has(FIELD_SRC3))) s2 = third;
      else s1 = third;
    end
    if (any(row, has(FIELD_IMMEDIATE))) s1 = immediate_operand(w0, w1);
    if (any(row, has(FIELD_IMMEDIATE_MOVE))) s0 = immediate_operand(w0, w1);
    if (any(row, has(FIELD_STORE_SOURCE))) s0 = register_operand(w1[20:14], !w1[21]);
    if (any(row, has(FIELD_SOURCE_ADDRESS))) begin
      s0.kind  = K_ADDRESS;
      s0.index = {4'b0, w1[2], w0[27:26]};
    end
    if (any(row, has(FIELD_SOURCE_CONDITION))) s0.kind = K_CONDITION;
    if (any(row, has(FIELD_SOURCE_SPECIAL))) begin
      s0.kind  = K_SPECIAL;
      s0.index = {3'b0, w1[17:14]};
    end
    if (any(row, has(FIELD_ADDRESS_SHIFT))) begin
      s1.kind  = K_IMMEDIATE;
      s1.value = {28'b0, w0[19:16]};
    end
    if (any(row, has(FIELD_ADDRESS_OFFSET))) begin
      s1.kind  = K_IMMEDIATE;
      s1.value = {16'b0, w0[24:9]};
    end

    // Types of the sources
    s0.operand_type = row.source_type;
    s1.operand_type = row.source_type;
    if (any(row, has(FIELD_MULTIPLY_SIGNS_SHORT))) begin
      s0.operand_type = w0[15] ? TYPE_S16 : TYPE_U16;
      s1.operand_type = w0[8] ? TYPE_S16 : TYPE_U16;
    end
    if (any(row, has(FIELD_MULTIPLY_SIGNS))) begin
      s0.operand_type = w1[15] ? TYPE_S16 : TYPE_U16;
      s1.operand_type = w1[14] ? TYPE_S16 : TYPE_U16;
    end
    if (any(row, has(FIELD_MULTIPLY24_SHORT))) begin
      s0.operand_type = w0[15] ? TYPE_S24 : TYPE_U24;
      d.high = w0[8];
    end
    if (any(row, has(FIELD_MULTIPLY24))) begin
      s0.operand_type = w1[15] ? TYPE_S24 : TYPE_U24;
      d.high = w1[14];
    end
    byte_wide = w1[15];
    word_wide = w1[14];
    if (any(row, has(FIELD_INTEGER_SOURCE))) begin
      s0 = source1(w0, in_shared, !in_shared && !word_wide, 1'b0, indexed, w0[25]);
      s0.operand_type = byte_wide ? TYPE_U8 : word_wide ? TYPE_U32 : TYPE_U16;
      if (w1[16]) s0.operand_type = signed_variant(s0.operand_type);
    end
    if (any(row, has(FIELD_FLOAT_SOURCE))) begin
      s0 = source1(w0, in_shared, !word_wide, 1'b0, indexed, w0[25]);
      s0.operand_type = word_wide ? TYPE_F32 : TYPE_F16;
    end

    // Destination
    if (any(row, has(FIELD_DST))) dst = register_operand(w0[8:2], 1'b0);
    if (any(row, has(FIELD_DST_HALF))) dst = register_operand(w0[8:2], 1'b1);
    if (any(row, has(FIELD_DST_REGISTER))) dst = register_operand(w0[8:2], 1'b0);
    if (any(row, has(FIELD_DST_REGISTER_HALF))) dst = register_operand(w0[8:2], 1'b1);
    if (any(row, has(FIELD_DST_SHORT))) dst = register_operand({1'b0, w0[7:2]}, 1'b0);
    if (any(row, has(FIELD_DST_SHORT_HALF))) dst = register_operand({1'b0, w0[7:2]}, 1'b1);
    if (any(row, has(FIELD_INTEGER_RESULT) | has(FIELD_INTEGER_RESULT_OF_FLOAT))) begin
      dst = register_operand(w0[8:2], !w1[26]);
      d.operation_type = any(row, has(FIELD_INTEGER_RESULT)) && w1[19] ? TYPE_U8 :
                         w1[26] ? TYPE_U32 : TYPE_U16;
      if (w1[27]) d.operation_type = signed_variant(d.operation_type);
    end
    if (any(row, has(FIELD_FLOAT_RESULT))) begin
      dst = register_operand(w0[8:2], !w1[26]);
      d.operation_type = w1[26] ? TYPE_F32 : TYPE_F16;
    end
    if (any(row, has(FIELD_DST) | has(FIELD_DST_HALF) | has(FIELD_INTEGER_RESULT) |
                 has(FIELD_INTEGER_RESULT_OF_FLOAT) | has(FIELD_FLOAT_RESULT)) && w1[3])
      dst.kind = K_OUTPUT;
    if (any(row, has(FIELD_DST_ADDRESS))) begin
      dst.kind  = K_ADDRESS;
      dst.index = {4'b0, w0[4:2]};
    end
    if (any(row, has(FIELD_DST_CONDITION))) begin
      dst.kind = K_CONDITION;
      d.condition_destination = w1[5:4];
    end

    // Memory that fills a field of its own
    if (any(row, has(FIELD_SHARED_FULL))) begin
      d = with_address(d, w0, w1, is_long);
      dst.kind = K_SHARED;
      dst.access = row.operation_type == TYPE_U32 ? TYPE_B32 : row.operation_type;
      dst.indexed = indexed;
      dst.value = {16'b0, 16'(scaled(
          {16'b0, w0[24:9]}, dst.access == TYPE_B32 ? 2'd2 : dst.access == TYPE_U16 ? 2'd1 : 2'd0))};
    end
    if (any(row, has(FIELD_CONSTANT_FULL))) begin
      d = with_address(d, w0, w1, is_long);
      s0.kind = K_CONSTANT;
      s0.access = shared_access(w1[15:14]);
      s0.indexed = indexed;
      s0.value = {16'b0, 16'(scaled(
          {16'b0, w0[24:9]}, s0.access == TYPE_B32 ? 2'd2 : s0.access == TYPE_U8 ? 2'd0 : 2'd1))};
      s0.index = {3'b0, w1[25:22]};
    end
    if (any(row, has(FIELD_LOCAL_SOURCE) | has(FIELD_LOCAL_DST) | has(FIELD_GLOBAL_SOURCE) |
                 has(FIELD_GLOBAL_DST))) begin
      operand_t memory, data;
      logic in_local;
      in_local = any(row, has(FIELD_LOCAL_SOURCE) | has(FIELD_LOCAL_DST));
      illegal |= w1[23:21] == 3'd7;
      d.operation_type = access_type(w1[23:21]);
      memory = '0;
      memory.kind = in_local ? K_LOCAL : K_GLOBAL;
      memory.access = d.operation_type;
      if (in_local) begin
        d = with_address(d, w0, w1, is_long);
        memory.indexed = indexed;
        memory.value = {16'b0, w0[24:9]};
      end else begin
        memory.index = w0[15:9];
      end
      data = register_operand(w0[8:2], 1'b0);
      data.words = words_of(d.operation_type);
      dst = row.loads ? data : memory;
      s0 = row.loads ? memory : data;
    end
    if (any(row, has(FIELD_SRC3_IS_DST))) s2 = dst;

    // Modifiers
    if (any(row, has(FIELD_COMBINE))) d.combine = combine_t'({w0[28], w0[22]});
    if (any(row, has(FIELD_COMBINE_LONG))) d.combine = combine_t'(w1[27:26]);
    if (any(row, has(FIELD_SATURATE8))) d.saturate = w0[8];
    if (any(row, has(FIELD_SATURATE19))) d.saturate = w1[19];
    if (any(row, has(FIELD_SATURATE27))) d.saturate = w1[27];
    if (any(row, has(FIELD_SATURATE29))) d.saturate = w1[29];
    if (any(row, has(FIELD_SIGNED8)) && w0[8]) d.operation_type = signed_variant(d.operation_type);
    if (any(row, has(FIELD_SIGNED27)) && w1[27]) d.operation_type = signed_variant(d.operation_type);
    if (any(row, has(FIELD_COMPARE3))) d.compare = {1'b0, w1[16:14]};
    if (any(row, has(FIELD_COMPARE4))) d.compare = w1[17:14];
    if (any(row, has(FIELD_INVERT1_SHORT))) s0.invert = w0[22];
    if (any(row, has(FIELD_INVERT1))) s0.invert = w1[16];
    if (any(row, has(FIELD_INVERT2))) s1.invert = w1[17];
    if (any(row, has(FIELD_CONVERT_SOURCE))) begin
      s0.negate = w1[29];
      s0.absolute = w1[20];
    end
    if (any(row, has(FIELD_ABSOLUTE1))) s0.absolute = w1[20];
    if (any(row, has(FIELD_ABSOLUTE1_SHORT))) s0.absolute = w0[15];
    if (any(row, has(FIELD_ABSOLUTE2))) s1.absolute = w1[19];
    if (any(row, has(FIELD_NEGATE1_SHORT))) s0.negate = w0[15];
    if (any(row, has(FIELD_NEGATE1_BY_M3))) s0.negate = w0[22];
    if (any(row, has(FIELD_NEGATE1))) s0.negate = w1[26];
    if (any(row, has(FIELD_NEGATE2_SHORT))) s1.negate = w0[22];
    if (any(row, has(FIELD_NEGATE2))) s1.negate = w1[27];
    if (any(row, has(FIELD_NEGATE3_SHORT))) s2.negate = w0[22];
    if (any(row, has(FIELD_NEGATE3))) s2.negate = w1[27];
    if (any(row, has(FIELD_NEGATE3_BY29))) s2.negate = w1[29];
    if (any(row, has(FIELD_ROUNDING_ADD))) d.rounding = w0[17:16];
    if (any(row, has(FIELD_ROUNDING_MULTIPLY))) d.rounding = w1[15:14];
    if (any(row, has(FIELD_ROUNDING_CONVERT))) d.rounding = w1[18:17];
    if (any(row, has(FIELD_ROUND_TO_INTEGER))) d.round_to_integer = w1[27];
    if (any(row, has(FIELD_LANES))) d.lane_mask = w1[17:14];
    if (any(row, has(FIELD_ROUNDING_ADD))) illegal |= w0[17] != w0[16];
    if (any(row, has(FIELD_ROUNDING_MULTIPLY))) illegal |= w1[15] != w1[14];
    if (any(row, has(FIELD_BARRIER))) begin
      d.barrier = w0[24:21];
      d.barrier_threads = w0[20:9];
      d.barrier_arrive = w0[25];
      d.barrier_wait = w0[26];
      d.barrier_all = w1[14] || w0[20:9] == 12'hfff;
    end

    d.increment = 32'b0;
    if (dst.indexed) d.increment = dst.value;
    if (s0.indexed) d.increment = s0.value;
    if (s1.indexed) d.increment = s1.value;
    if (s2.indexed) d.increment = s2.value;
    d.destination = dst;
    d.source = {s2, s1, s0};

    unsupported = d.operation == OP_DISCARD || d.operation == OP_QUAD_ON ||
                  d.operation == OP_QUAD_POP;
    if (!multiplier && d.unit == UNIT_MULTIPLIER) unsupported = 1'b1;
    if (!three_operands && s2.kind != K_NONE) unsupported = 1'b1;
    if (!floating_point &&
        (row.is_float || (d.unit == UNIT_CONVERSION &&
                          (is_float(d.operation_type) || is_float(s0.operand_type)))))
      unsupported = 1'b1;
    d.cause = illegal ? CAUSE_ILLEGAL_INSTRUCTION :
              unsupported ? CAUSE_UNSUPPORTED_INSTRUCTION : CAUSE_NONE;
    decode = d;
  endfunction
endpackage
