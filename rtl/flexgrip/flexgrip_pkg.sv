// SPDX-License-Identifier: Apache-2.0
// What the modules of FlexGrip share: a decoded instruction, one of its operands, what an
// instruction costs in each stage, and what passes from stage to stage.
// verilator lint_off UNUSEDPARAM
package flexgrip_pkg;
  import g80_pkg::*;
  import flexgrip_registers_pkg::cause_t;

  localparam int WARP_LANES = 32;
  localparam int MAX_REGISTERS = 128;

  typedef enum logic [3:0] {
    K_NONE,
    K_REGISTER,
    K_HALF,
    K_OUTPUT,  // o[]: a place where results vanish
    K_IMMEDIATE,
    K_SHARED,
    K_CONSTANT,
    K_LOCAL,
    K_GLOBAL,
    K_ADDRESS,
    K_CONDITION,
    K_SPECIAL
  } kind_t;

  typedef struct packed {
    kind_t kind;
    type_t operand_type;  // how the operation takes it
    type_t access;        // memory: what is fetched or stored
    logic [6:0] index;    // of a register; g[]: of the one with the address; c[]: the bank
    logic high;           // upper half of a register
    logic [2:0] words;    // registers: 1, 2 or 4
    logic indexed;        // memory: the address register applies to it
    logic invert, negate, absolute;
    logic [31:0] value;   // immediate, offset in bytes
  } operand_t;

  typedef enum logic [1:0] {MARK_NONE, MARK_EXIT, MARK_JOIN} marker_t;
  typedef enum logic [1:0] {ADD, SUBTRACT, REVERSE_SUBTRACT, ADD_CARRY} combine_t;

  typedef struct packed {
    cause_t cause;  // CAUSE_NONE, or why it cannot be executed
    operation_t operation;
    unit_t unit;
    cost_t cost;
    form_t form;
    type_t operation_type;
    logic shifts_halves, whole_words;
    logic high, saturate;
    logic [1:0] rounding;    // of floats: nearest, down, up, to zero
    logic round_to_integer;  // of a conversion from float to float
    marker_t marker;
    combine_t combine;
    logic [3:0] compare;
    logic [15:0] truth;  // of the predicate; TRUE for what ignores it
    logic [1:0] condition;  // read
    logic writes_condition;
    logic [1:0] condition_destination;
    logic [2:0] address_register;  // 0: none
    logic post_increment;
    operand_t destination;
    operand_t [2:0] source;
    logic [31:0] target;
    logic [3:0] barrier;
    logic [11:0] barrier_threads;
    logic barrier_all, barrier_arrive, barrier_wait;
    logic [3:0] lane_mask;
    logic [31:0] increment;
    // As encoded, whatever the instruction is: what the timing looks at.
    logic raw_always, raw_post_increment, raw_condition_write, raw_second_immediate;
    logic [2:0] raw_store_size;
  } decoded_t;

  // What one row costs; the lanes' part is for each that takes part and for each that does not.
  typedef struct packed {
    logic [15:0] fetch;
    logic [15:0] prologue, registers, memory;  // read: the first row's more, and two side by side
    logic [15:0] lane_active, lane_idle;
    logic has_lanes;
    logic [15:0] execute;
    logic [15:0] write, store_active, store_idle;
    logic has_stores;
    logic joins, barrier;
  } costs_t;

  // A row on its way: which instruction of which warp.
  typedef struct packed {
    decoded_t instruction;
    costs_t costs;
    logic [31:0] pc;
    logic [4:0] warp;  // slot
    logic [1:0] row;
    logic first, last;
    logic [63:0] issued;        // when the first row was
    logic [63:0] row_issued;
  } row_info_t;

  // What the first row finds out for its instruction...
  typedef struct packed {
    logic [5:0] active_threads;
    logic diverges;
    logic [15:0] more_first, more_each;  // cycles in the execute stage
  } decision_t;
  // ... and what each row takes along from the read stage.
  typedef struct packed {
    row_info_t info;
    logic [31:0] executed;    // threads in which the instruction takes effect
    logic [3:0][31:0] flags;  // of the condition register that it reads
    decision_t decision;
  } read_row_t;

  typedef struct packed {
    cause_t cause;
    logic [31:0] pc, address;
    logic [4:0] warp;
    logic [4:0] lane;
  } fault_t;

  // Costs that differ between the published designs (gpgpu.timing); the others are in
  // flexgrip_timing_pkg.
  typedef struct packed {
    logic [7:0]
        lane_access, lane_byte, lane_store, lane_store_byte, read_direct, read_direct_byte,
        read_register, read_zero_register, read_predicate_row, read_gather, read_global,
        write_half_register, write_address, write_condition, write_shared_address, write_global,
        fetch_long, fetch_short, execute_integer, execute_multiply, execute_multiply_add,
        configure_batch, configure_block, configure_thread, configure_warp;
  } timing_t;

  // What is fixed when the device is made, by the names of the model's configuration keys.
  typedef struct packed {
    logic multiplier, three_operands, floating_point;
    logic flush_denormals;  // denormals
    logic taken_first;   // first_path
    logic full_warps;    // partial_warps
    logic global_wraps;  // global_addresses
    logic global_on_bus; // global_memory
    logic null_page;
    logic [31:0] clock_hz, warps_per_sm, threads_per_sm, blocks_per_sm, threads_per_block,
                 registers_per_sm, shared_bytes_per_sm, stack_depth, code_bytes, constant_bytes,
                 global_bytes, local_bytes;
    timing_t timing;
  } configuration_t;

  // A kernel as its registers describe it.
  typedef struct packed {
    logic [31:0] blocks_per_core, registers_per_thread, shared_static_bytes, parameter_count,
                 shared_dynamic_bytes, block_x, block_y, block_z, grid_x, grid_y;
  } kernel_t;

  // Rows that enter the pipeline, and leave its stages with the next edge.
  typedef struct packed {
    logic issued;      // with the last edge
    logic [4:0] left;  // fetch, decode, read, execute, write
    logic [31:0] pc;   // of the row that was issued
    logic [4:0] warp;
    logic [1:0] row;
  } trace_t;

  // The instruction in the write stage, whose rows leave it with trace_t's left[4].
  typedef struct packed {
    logic [31:0] pc;
    logic [4:0] warp;
    logic [1:0] row;
    logic last;             // of its rows
    logic [31:0] executed;  // threads
  } written_t;
  // What it stores with the next edge: a byte.
  typedef struct packed {
    logic [1:0] memory;  // 0: none, 1: s[], 2: g[], 3: l[]
    logic [31:0] address;
    logic [7:0] data;
  } store_t;

  // What an instruction does to its warp's place and threads.
  typedef enum logic [3:0] {
    FLOW_NEXT,
    FLOW_BRANCH,
    FLOW_BRANCH_NOT_TAKEN_FIRST,
    FLOW_SYNC,
    FLOW_PRE_BREAK,
    FLOW_CALL,
    FLOW_JOIN,
    FLOW_RETURN,
    FLOW_BREAK,
    FLOW_EXIT
  } flow_t;

  function automatic logic is_signed(input type_t t);
    is_signed = t == TYPE_S8 || t == TYPE_S16 || t == TYPE_S24 || t == TYPE_S32;
  endfunction
  // What the low bits of a register are as an integer of a type.
  function automatic logic signed [33:0] integer_of(input logic [31:0] x, input type_t t);
    case (t)
      TYPE_U8: integer_of = {26'b0, x[7:0]};
      TYPE_S8: integer_of = {{26{x[7]}}, x[7:0]};
      TYPE_U16, TYPE_B16: integer_of = {18'b0, x[15:0]};
      TYPE_S16: integer_of = {{18{x[15]}}, x[15:0]};
      TYPE_S32: integer_of = {{2{x[31]}}, x};
      default: integer_of = {2'b0, x};
    endcase
  endfunction
  function automatic logic is_half(input type_t t);
    is_half = t == TYPE_B16 || t == TYPE_U16 || t == TYPE_S16 || t == TYPE_F16;
  endfunction
  function automatic logic is_float(input type_t t);
    is_float = t == TYPE_F32 || t == TYPE_F16;
  endfunction
  // How much memory an access of this type moves.
  function automatic logic [4:0] bytes_of(input type_t t);
    case (t)
      TYPE_U8, TYPE_S8: bytes_of = 5'd1;
      TYPE_U16, TYPE_S16, TYPE_B16: bytes_of = 5'd2;
      TYPE_B64: bytes_of = 5'd8;
      TYPE_B128: bytes_of = 5'd16;
      default: bytes_of = 5'd4;
    endcase
  endfunction
  function automatic type_t signed_variant(input type_t t);
    case (t)
      TYPE_U8: signed_variant = TYPE_S8;
      TYPE_U16: signed_variant = TYPE_S16;
      TYPE_U24: signed_variant = TYPE_S24;
      TYPE_U32: signed_variant = TYPE_S32;
      default: signed_variant = t;
    endcase
  endfunction
  function automatic logic is_memory(input kind_t kind);
    is_memory = kind == K_SHARED || kind == K_CONSTANT || kind == K_LOCAL || kind == K_GLOBAL;
  endfunction
  function automatic logic is_register(input kind_t kind);
    is_register = kind == K_REGISTER || kind == K_HALF;
  endfunction
  // 64- and 128-bit accesses are accesses to two or four words.
  function automatic logic [2:0] words_of(input type_t t);
    case (t)
      TYPE_B64: words_of = 3'd2;
      TYPE_B128: words_of = 3'd4;
      default: words_of = 3'd1;
    endcase
  endfunction
endpackage
