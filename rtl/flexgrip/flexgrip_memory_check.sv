// SPDX-License-Identifier: Apache-2.0
// Whether the accesses of some lanes are aligned and inside of their memory: all lanes of an
// instruction are checked before the first byte moves.  Combinational; of several lanes that are
// wrong the first counts.
// Structures are handed over whole, and each takes what it needs of them.
// verilator lint_off UNUSEDSIGNAL
module flexgrip_memory_check
  import flexgrip_pkg::*;
  import flexgrip_registers_pkg::*;
#(
    parameter int SPS = 8
) (
    input  configuration_t       configuration,
    input  kind_t                kind,
    input  logic [SPS-1:0]       lanes,
    input  logic [SPS-1:0][31:0] addresses,
    input  logic [4:0]           bytes,
    input  logic [31:0]          limit,     // s[], c[], l[]: how many bytes there are
    output cause_t               cause,     // CAUSE_NONE: all is well
    output logic [4:0]           lane,
    output logic [31:0]          address
);
  function automatic cause_t check(input logic [31:0] at);
    logic misaligned, null_pointer;
    logic [32:0] end_of_access;
    misaligned = (at & (32'(bytes) - 32'd1)) != 32'd0;
    null_pointer = configuration.null_page && at < 32'd256;
    end_of_access = {1'b0, at} + 33'(bytes);
    check = CAUSE_NONE;
    case (kind)
      K_GLOBAL:
      if (configuration.global_wraps) check = null_pointer ? CAUSE_NULL_PAGE : CAUSE_NONE;
      else if (misaligned) check = CAUSE_MISALIGNED;
      else if (null_pointer) check = CAUSE_NULL_PAGE;
      else if (end_of_access > {1'b0, configuration.global_bytes}) check = CAUSE_GLOBAL_OUT_OF_RANGE;
      default:
      if (misaligned) check = CAUSE_MISALIGNED;
      else if (end_of_access > {1'b0, limit})
        check = kind == K_SHARED ? CAUSE_SHARED_OUT_OF_RANGE :
                kind == K_LOCAL ? CAUSE_LOCAL_OUT_OF_RANGE : CAUSE_CONSTANT_OUT_OF_RANGE;
    endcase
  endfunction

  always_comb begin
    cause = CAUSE_NONE;
    lane = 5'd0;
    address = 32'd0;
    for (int i = SPS - 1; i >= 0; i--)
      if (lanes[i] && check(addresses[i]) != CAUSE_NONE) begin
        cause = check(addresses[i]);
        lane = 5'(i);
        address = addresses[i];
      end
  end
endmodule
