// SPDX-License-Identifier: Apache-2.0
// Whether a kernel can run, as its registers describe it, and how many of its blocks an SM runs at a
// time: one more block in a cycle until something is exhausted.  Causes come in the order in which
// the models check (models/gpgpu/flexgrip/kernel.cpp, models/gpgpu/admission.cpp).
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_admission
  import flexgrip_registers_pkg::*;
  import flexgrip_pkg::*;
(
    input logic clock,
    input logic start,
    input configuration_t configuration,
    input kernel_t kernel,
    input logic banks_are_wrong,

    output logic        done,  // for a cycle
    output cause_t      cause,
    output logic [7:0]  blocks,  // at a time
    output logic [5:0]  warps_per_block,
    output logic [10:0] threads,
    output logic [31:0] shared_bytes,
    output logic [31:0] total  // blocks
);
  logic active;
  logic [7:0] fit;
  logic [26:0] all_threads;
  logic [34:0] shared_needed;
  logic bad;
  always_comb begin
    all_threads = 27'(kernel.block_x[10:0]) * 27'(kernel.block_y[10:0]) * 27'(kernel.block_z[6:0]);
    shared_needed = 35'd16 + 35'({kernel.parameter_count[5:0], 2'b0}) +
                    35'(kernel.shared_static_bytes) + 35'(kernel.shared_dynamic_bytes) + 35'd255;
    shared_needed[7:0] = 8'd0;
    bad = kernel.registers_per_thread == 0 || kernel.registers_per_thread > 32'(MAX_REGISTERS) ||
          kernel.parameter_count > 32'(PARAMETER_ENTRIES) ||
          kernel.block_x == 0 || kernel.block_x > 32'd1024 ||
          kernel.block_y == 0 || kernel.block_y > 32'd1024 ||
          kernel.block_z == 0 || kernel.block_z > 32'd64 ||
          kernel.grid_x == 0 || kernel.grid_x > 32'd65535 ||
          kernel.grid_y == 0 || kernel.grid_y > 32'd65535;
  end
  assign total = 32'(kernel.grid_x[15:0]) * 32'(kernel.grid_y[15:0]);
  wire [31:0] wanted = kernel.blocks_per_core < total ? kernel.blocks_per_core : total;
  assign threads = all_threads[10:0];
  assign warps_per_block = 6'((12'(all_threads[10:0]) + 12'd31) >> 5);
  assign shared_bytes = shared_needed[31:0];

  // What so many blocks and one more need
  logic [31:0] more, warps, registers;
  cause_t limit;
  always_comb begin
    more = 32'(fit) + 32'd1;
    warps = more * 32'(warps_per_block);
    registers = warps * 32'd32 * 32'(kernel.registers_per_thread[7:0]);
    limit = CAUSE_NONE;
    if (more * shared_bytes > configuration.shared_bytes_per_sm) limit = CAUSE_TOO_MUCH_SHARED;
    if (registers > configuration.registers_per_sm) limit = CAUSE_TOO_MANY_REGISTERS;
    if (more * 32'(threads) > configuration.threads_per_sm) limit = CAUSE_TOO_MANY_THREADS;
    if (warps > configuration.warps_per_sm) limit = CAUSE_TOO_MANY_WARPS;
  end

  always_ff @(posedge clock) begin
    done <= 1'b0;
    if (active) begin
      if (limit != CAUSE_NONE || fit == configuration.blocks_per_sm[7:0]) begin
        active <= 1'b0;
        done <= 1'b1;
        blocks <= wanted == 32'd0 ? fit : wanted[7:0];
        if (fit == 8'd0) cause <= limit;
        else if (wanted > 32'(fit)) cause <= CAUSE_TOO_MANY_BLOCKS;
        else if (banks_are_wrong) cause <= CAUSE_BAD_CONFIGURATION;
      end else fit <= fit + 8'd1;
    end
    if (start) begin
      fit <= 8'd0;
      cause <= CAUSE_NONE;
      active <= 1'b1;
      if (bad) cause <= CAUSE_BAD_CONFIGURATION;
      else if (shared_needed > {3'b0, configuration.shared_bytes_per_sm}) cause <= CAUSE_TOO_MUCH_SHARED;
      else if (all_threads > configuration.threads_per_block[26:0]) cause <= CAUSE_TOO_MANY_THREADS;
      if (bad || shared_needed > {3'b0, configuration.shared_bytes_per_sm} || all_threads > configuration.threads_per_block[26:0]) begin
        active <= 1'b0;
        done <= 1'b1;
      end
    end
  end
endmodule
