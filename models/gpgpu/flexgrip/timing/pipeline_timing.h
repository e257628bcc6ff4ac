// SPDX-License-Identifier: Apache-2.0
// What everything in FlexGrip's SM pipeline costs, in clock cycles.  Every field is the
// configuration key gpgpu.timing.<field>; its default is what the published FlexGripPlus 4.4 RTL
// takes.  docs/flexgrip-timing.md has the model these numbers go into.  Where a comment ends in
//   [m]  the number is confirmed by simulating that RTL (tests/data/microbenchmarks),
//   [r]  it is read off that RTL's state machines and no simulation exercised it,
//   [a]  it is assumed, because that RTL lacks the function or has it wrong.
// "Row" is one pass of a warp through the pipeline: a warp of 32 threads has 32 / SPs rows.
#pragma once

#include <cstdint>

namespace gvp::gpgpu::flexgrip::timing {

struct PipelineTiming {
  // Block scheduler: before, between and after batches of blocks.
  uint32_t kernel_start = 5;         // start to first configuration [m]
  uint32_t kernel_end = 2;           // last batch to done [m]
  uint32_t batch_gap = 4;            // end of a batch to the next one's configuration [m]
  uint32_t configure_batch = 11;     // [m]
  uint32_t configure_block = 22;     // per block [m]
  uint32_t configure_parameter = 6;  // per 32-bit kernel parameter and block [m]
  uint32_t configure_thread = 3;     // per thread [m]
  uint32_t configure_warp = 3;       // per warp [m]
  uint32_t first_issue = 2;          // end of configuration to the first issue [m]
  uint32_t batch_end = 3;            // all warps seen finished to end of batch [m]

  // Warp scheduler: it looks at one warp every `poll` cycles, strictly in turn.
  uint32_t poll = 2;                  // [m]
  uint32_t finish_visible = 2;        // write of the last warp until all are seen finished [m]
  uint32_t barrier_release = 4;       // write of the last BAR until warp slot 0 may go on [m]
  uint32_t barrier_release_warp = 1;  // more per warp slot [m]
  uint32_t write_gap = 2;             // between the writes of two rows [m]
  uint32_t write_gap_barrier = 4;     // after a BAR [m]
  uint32_t write_gap_release = 37;    // after the BAR that releases the block [m]

  // Fetch.
  uint32_t fetch_long = 3;   // 8-byte instruction [m]
  uint32_t fetch_short = 2;  // 4-byte instruction [m]
  uint32_t fetch_row = 1;    // rows after the first: nothing is fetched [m]

  // Read: what happens in the first row only, for all threads of the warp.
  uint32_t read_mask = 2;           // active mask, always [m]
  uint32_t read_predicate = 4;      // predicate [m]
  uint32_t read_predicate_row = 2;  // more per row of the warp [m]
  uint32_t read_join = 4;           // join that pops the stack [m]
  // Read, every row.
  uint32_t read_nop = 2;            // NOP without join, all of it [m]
  uint32_t read_flow = 3;           // control instructions [m]
  uint32_t read_base = 8;           // all others [m]
  uint32_t read_carry = 4;          // add with carry [r]
  uint32_t read_register = 5;       // each register operand, one after the other [m]
  uint32_t read_zero_register = 4;  // register 124 [m]
  uint32_t read_second_word = 1;    // each further word of a 64- or 128-bit operand [a]
  uint32_t read_special = 4;        // address, condition and special registers [r]
  uint32_t read_direct = 6;         // s[], c[] without address register: [m]
  uint32_t read_direct_byte = 1;    //   and per byte [m]
  uint32_t read_gather = 12;        // s[], c[], l[] with address register; lanes extra [m]
  uint32_t read_global = 13;        // g[] (lanes extra) [m]

  // Memory is served lane after lane, byte after byte.
  uint32_t lane_access = 3;      // per active lane and 32-bit word, loads [m]
  uint32_t lane_byte = 1;        // per byte of an active lane, loads [m]
  uint32_t lane_store = 3;       // per active lane and 32-bit word, stores [m]
  uint32_t lane_store_byte = 1;  // per byte of an active lane, stores [m]
  uint32_t lane_idle = 1;        // per lane that takes no part [m]

  // Execute.
  uint32_t execute_move = 2;                 // moves, loads, stores, NOP [m]
  uint32_t execute_integer = 3;              // integer, logic, I2I, address registers [m]
  uint32_t execute_multiply = 3;             // IMUL [m]
  uint32_t execute_multiply_add = 3;         // IMAD [m]
  uint32_t execute_conversion = 13;          // I2F, F2I, F2F [m]
  uint32_t execute_float_compare = 15;       // FSET [m]; FMIN, FMAX, FCMP [a]
  uint32_t execute_float_add = 25;           // FADD of two operands without sign in all lanes [m]
  uint32_t execute_float_subtract = 26;      // FADD otherwise [m]
  uint32_t execute_float_multiply = 26;      // [m]
  uint32_t execute_float_multiply_add = 30;  // [m]
  uint32_t execute_special = 4;              // RCP, RSQ, LG2, EX2, SIN, COS, RRO [m]
  uint32_t execute_special_lane = 1;         //   and per SP, active or not [m]
  uint32_t execute_flow = 5;                 // control instructions [m]
  uint32_t execute_push = 2;                 // more where the stack is pushed (first row) [m]
  uint32_t execute_pop = 3;                  // more where BRK pops the stack (first row) [m]
  uint32_t execute_exit = 1;                 // more for RET outside of a call [m]

  // Write.
  uint32_t write_none = 4;            // control instructions, NOP [m]
  uint32_t write_discard = 6;         // register 127 [m]
  uint32_t write_register = 8;        // [m]
  uint32_t write_second_word = 1;     // each further word of a 64- or 128-bit result [a]
  uint32_t write_half_register = 10;  // read, modify, write [m]
  uint32_t write_address = 6;         // address register [m]
  uint32_t write_condition = 3;       // more for a condition register [m]
  uint32_t write_post_increment = 5;  // more for $a += ...; BAR pays it too [m]
  uint32_t write_shared = 10;         // s[] (lanes extra) [r]
  uint32_t write_shared_address = 2;  //   more with address register [m]
  uint32_t write_global = 13;         // g[] (lanes extra) [m]; l[] [a]
};

}  // namespace gvp::gpgpu::flexgrip::timing
