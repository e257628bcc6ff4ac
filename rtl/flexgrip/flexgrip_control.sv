// SPDX-License-Identifier: Apache-2.0
// FlexGrip's control window: the registers of models/gpgpu/flexgrip/flexgrip_registers.h and constant
// memory.  Registers take whole words; what configures a kernel, and constant memory, cannot be
// written while one runs.  Misuse is answered with SLVERR.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_control
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
(
    input logic clock,
    input logic [31:0] constant_bytes,
    input logic reset,  // of the registers, also by CONTROL

    input  logic        write,
    input  logic [13:0] write_word,
    input  logic [31:0] write_data,
    input  logic [3:0]  write_strobes,
    output logic        write_error,
    input  logic        read,
    input  logic [13:0] read_word,
    output logic [31:0] read_data,
    output logic        read_error,
    input  logic [31:0] constant_data,  // of the address that is read

    output kernel_t           kernel,
    input  logic [4:0]        parameter_index,
    output logic [31:0]       parameter_value,
    output logic [15:0][15:0] bank_base,
    output logic [15:0][15:0] bank_bytes,
    output logic              banks_are_wrong,
    output logic              write_constant,

    output logic        starts,
    output logic        resets,
    output logic        interrupt,
    input  logic        running,
    input  logic        done, refused,
    input  cause_t      cause,
    input  fault_t      fault,
    input  logic [31:0] fault_warp,
    input  logic [31:0] fault_block,
    input  logic [5:0][63:0]  counters,  // in the order of their registers
    input  logic [13:0][31:0] capabilities,
    input  logic [13:0]       debug_word,  // a second reader, without side effects
    output logic [31:0]       debug_data
);
  localparam int KERNEL_REGISTERS = 10;
  logic [KERNEL_REGISTERS-1:0][31:0] kernel_registers;
  logic [PARAMETER_ENTRIES-1:0][31:0] parameters;
  logic [KERNEL_NAME_ENTRIES-1:0][31:0] kernel_name;
  logic [CONSTANT_BANK_BASE_ENTRIES-1:0][31:0] base, bytes;
  logic [CONSTANT_BANK_BASE_ENTRIES-1:0] bank_is_wrong;

  // ---- Launches ----
  typedef enum logic [1:0] {NEVER, ENDED, STOPPED} outcome_t;
  outcome_t outcome;
  logic interrupt_enabled, interrupt_pending;
  cause_t last_cause;
  fault_t last_fault;
  logic [31:0] last_warp, last_block, counter_high;
  assign interrupt = interrupt_enabled && interrupt_pending;

  // Where an address leads
  typedef enum logic [2:0] {NOTHING, KERNEL, PARAMETERS, BANKS, NAME, CONSTANTS, OTHER} place_t;
  function automatic place_t place_of(input logic [13:0] word);
    logic [15:0] at;
    at = {word, 2'b0};
    place_of = NOTHING;
    if (at < 16'(4 * KERNEL_REGISTERS)) place_of = KERNEL;
    else if (at >= PARAMETER && at < PARAMETER + 16'(4 * PARAMETER_ENTRIES)) place_of = PARAMETERS;
    else if (at >= ID && at <= INTERRUPT) place_of = OTHER;
    else if (at >= CAP_SMS && at <= CAP_CLOCK_HZ) place_of = OTHER;
    else if (at >= COUNT_CYCLES && at <= COUNT_MAX_STACK_DEPTH_HIGH) place_of = OTHER;
    else if (at >= CONSTANT_BANK_BASE && at < CONSTANT_BANK_BASE + 16'(8 * CONSTANT_BANK_BASE_ENTRIES))
      place_of = BANKS;
    else if (at >= KERNEL_NAME && at < KERNEL_NAME + 16'(4 * KERNEL_NAME_ENTRIES)) place_of = NAME;
    else if (at >= CONSTANT_MEMORY && 32'(at) < 32'(CONSTANT_MEMORY) + constant_bytes)
      place_of = CONSTANTS;
  endfunction

  wire [15:0] write_at = {write_word, 2'b0};
  wire place_t write_place = place_of(write_word);
  wire configures = write_place == KERNEL || write_place == PARAMETERS || write_place == BANKS ||
                    write_place == NAME || write_place == CONSTANTS;
  wire is_command = write_at == CONTROL || write_at == INTERRUPT;
  assign write_error = !(configures ? !running : is_command) ||
                       (write_strobes != 4'b1111 && write_place != CONSTANTS);
  wire writes = write && !write_error;
  assign write_constant = writes && write_place == CONSTANTS;
  wire command = writes && write_at == CONTROL;
  assign resets = command && write_data[1];
  assign starts = command && !write_data[1] && write_data[0] && !running;

  always_comb begin
    kernel.blocks_per_core = kernel_registers[BLOCKS_PER_CORE[5:2]];
    kernel.registers_per_thread = kernel_registers[REGISTERS_PER_THREAD[5:2]];
    kernel.shared_static_bytes = kernel_registers[SHARED_STATIC_BYTES[5:2]];
    kernel.parameter_count = kernel_registers[PARAMETER_COUNT[5:2]];
    kernel.shared_dynamic_bytes = kernel_registers[SHARED_DYNAMIC_BYTES[5:2]];
    kernel.block_x = kernel_registers[BLOCK_X[5:2]];
    kernel.block_y = kernel_registers[BLOCK_Y[5:2]];
    kernel.block_z = kernel_registers[BLOCK_Z[5:2]];
    kernel.grid_x = kernel_registers[GRID_X[5:2]];
    kernel.grid_y = kernel_registers[GRID_Y[5:2]];
    for (int i = 0; i < 16; i++) begin
      bank_base[i] = base[i][15:0];
      bank_bytes[i] = bytes[i][15:0];
    end
  end
  assign parameter_value = parameters[parameter_index];
  assign banks_are_wrong = bank_is_wrong != '0;

  always_ff @(posedge clock) begin
    if (writes)
      case (write_place)
        // Each has an enable; a place that is computed would be a shifter of all of them.
        KERNEL:
        for (int i = 0; i < KERNEL_REGISTERS; i++)
          if (write_word[3:0] == 4'(i)) kernel_registers[i] <= write_data;
        PARAMETERS:
        for (int i = 0; i < PARAMETER_ENTRIES; i++)
          if (write_word[4:0] == 5'(i)) parameters[i] <= write_data;
        BANKS: begin
          logic [31:0] new_base, new_bytes;
          new_base  = write_word[0] ? base[write_word[4:1]] : write_data;
          new_bytes = write_word[0] ? write_data : bytes[write_word[4:1]];
          for (int i = 0; i < CONSTANT_BANK_BASE_ENTRIES; i++)
            if (write_word[4:1] == 4'(i)) begin
              base[i] <= new_base;
              bytes[i] <= new_bytes;
              bank_is_wrong[i] <= new_base > constant_bytes || new_bytes > constant_bytes - new_base;
            end
        end
        NAME:
        for (int i = 0; i < KERNEL_NAME_ENTRIES; i++)
          if (5'(write_word - KERNEL_NAME[15:2]) == 5'(i)) kernel_name[i] <= write_data;
        default: ;
      endcase
    if (command) interrupt_enabled <= write_data[2];
    if (writes && write_at == INTERRUPT && write_data[0]) interrupt_pending <= 1'b0;
    if (starts) begin
      last_cause <= CAUSE_NONE;
      last_fault <= '0;
      last_warp <= '0;
      last_block <= '0;
    end
    if (done || refused) begin
      interrupt_pending <= 1'b1;
      outcome <= cause == CAUSE_NONE ? ENDED : STOPPED;
      last_cause <= cause;
      if (done && cause != CAUSE_NONE) begin
        last_fault <= fault;
        last_warp <= fault_warp;
        last_block <= fault_block;
      end
    end
    if (reset || resets) begin
      kernel_registers <= '0;
      kernel_registers[BLOCKS_PER_CORE[5:2]] <= RESET_BLOCKS_PER_CORE;
      kernel_registers[REGISTERS_PER_THREAD[5:2]] <= RESET_REGISTERS_PER_THREAD;
      kernel_registers[SHARED_STATIC_BYTES[5:2]] <= RESET_SHARED_STATIC_BYTES;
      kernel_registers[BLOCK_X[5:2]] <= RESET_BLOCK_X;
      kernel_registers[BLOCK_Y[5:2]] <= RESET_BLOCK_Y;
      kernel_registers[BLOCK_Z[5:2]] <= RESET_BLOCK_Z;
      kernel_registers[GRID_X[5:2]] <= RESET_GRID_X;
      kernel_registers[GRID_Y[5:2]] <= RESET_GRID_Y;
      parameters <= '0;
      kernel_name <= '0;
      base <= '0;
      bytes <= {CONSTANT_BANK_BASE_ENTRIES{constant_bytes}};
      bank_is_wrong <= '0;
      interrupt_enabled <= 1'b0;
      interrupt_pending <= 1'b0;
      outcome <= resets && running ? STOPPED : NEVER;
      last_cause <= resets && running ? CAUSE_ABORTED : CAUSE_NONE;
      last_fault <= '0;
      last_warp <= '0;
      last_block <= '0;
    end
  end

  // ---- Reads ----
  function automatic logic reads_counter(input logic [13:0] word);
    logic [15:0] at;
    at = {word, 2'b0};
    reads_counter = at >= COUNT_CYCLES && at <= COUNT_MAX_STACK_DEPTH_HIGH;
  endfunction
  function automatic logic [2:0] counter_of(input logic [13:0] word);
    counter_of = 3'((word - COUNT_CYCLES[15:2]) >> 1);
  endfunction
  function automatic logic [31:0] value_of(input logic [13:0] word);
    logic [15:0] at;
    at = {word, 2'b0};
    value_of = 32'b0;
    case (place_of(word))
      KERNEL: value_of = kernel_registers[word[3:0]];
      PARAMETERS: value_of = parameters[word[4:0]];
      BANKS: value_of = word[0] ? bytes[word[4:1]] : base[word[4:1]];
      NAME: value_of = kernel_name[5'(word - KERNEL_NAME[15:2])];
      CONSTANTS: value_of = constant_data;
      default:
      if (reads_counter(word)) value_of = word[0] ? counter_high : counters[counter_of(word)][31:0];
      else if (at >= CAP_SMS && at <= CAP_CLOCK_HZ) value_of = capabilities[4'((at - CAP_SMS) >> 2)];
      else
        case (at)
          ID: value_of = RESET_ID;
          VERSION: value_of = RESET_VERSION;
          CONTROL: value_of = {29'b0, interrupt_enabled, 2'b0};
          STATUS: value_of = running ? 32'h2 : outcome == ENDED ? 32'h5 : outcome == STOPPED ? 32'h9 : 32'h1;
          CAUSE: value_of = {27'b0, last_cause};
          FAULT_PC: value_of = last_fault.pc;
          FAULT_ADDRESS: value_of = last_fault.address;
          FAULT_WARP: value_of = last_warp;
          FAULT_BLOCK: value_of = last_block;
          INTERRUPT: value_of = {31'b0, interrupt_pending};
          default: ;
        endcase
    endcase
  endfunction
  assign read_error = place_of(read_word) == NOTHING;
  always_comb read_data = value_of(read_word);
`ifdef SYNTHESIS
  assign debug_data = 32'b0;
`else
  always_comb debug_data = value_of(debug_word);
`endif
  always_ff @(posedge clock)
    if (read && reads_counter(read_word) && !read_word[0])
      counter_high <= counters[counter_of(read_word)][63:32];
endmodule
