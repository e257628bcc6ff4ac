// SPDX-License-Identifier: Apache-2.0
// The costs of FlexGrip's pipeline; pipeline_timing.h says where each default comes from.
#include "models/gpgpu/flexgrip/keys.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using namespace device;
using T = timing::PipelineTiming;

template <uint32_t T::*kMember>
Key cost(const char* name, const char* meaning) {
  return {std::string("timing.") + name,
          [](std::any& settings) -> Field {
            return &(std::any_cast<Configuration&>(settings).timing.*kMember);
          },
          // Zero would stop the warp scheduler for good, or issue before the configuration ends.
          range(kMember == &T::poll || kMember == &T::first_issue ? 1 : 0, 100000), "cycles",
          meaning};
}

}  // namespace

// clang-format off
std::vector<Key> timing_keys() {
  return {
      cost<&T::kernel_start>("kernel_start", "Start of a kernel to the first configuration of an SM"),
      cost<&T::kernel_end>("kernel_end", "End of the last batch of blocks to the end of the kernel"),
      cost<&T::batch_gap>("batch_gap", "End of a batch of blocks to the configuration of the next one"),
      cost<&T::configure_batch>("configure_batch", "Configuring a batch of blocks, once"),
      cost<&T::configure_block>("configure_block", "Configuring a batch, more per block"),
      cost<&T::configure_parameter>("configure_parameter", "Configuring a block, more per 32-bit kernel parameter"),
      cost<&T::configure_thread>("configure_thread", "Configuring a block, more per thread"),
      cost<&T::configure_warp>("configure_warp", "Configuring a block, more per warp"),
      cost<&T::first_issue>("first_issue", "End of the configuration to the first issue"),
      cost<&T::batch_end>("batch_end", "All warps seen finished to the end of the batch"),
      cost<&T::poll>("poll", "Warp scheduler: from looking at one warp to looking at the next"),
      cost<&T::finish_visible>("finish_visible", "Write of the last warp to its being seen finished"),
      cost<&T::barrier_release>("barrier_release", "Write of the BAR that completes a barrier to the release of warp slot 0"),
      cost<&T::barrier_release_warp>("barrier_release_warp", "Release after a barrier, more per warp slot"),
      cost<&T::write_gap>("write_gap", "Between the writes of two rows"),
      cost<&T::write_gap_barrier>("write_gap_barrier", "Between the write of a BAR and the next one"),
      cost<&T::write_gap_release>("write_gap_release", "The same when the BAR completes the barrier"),
      cost<&T::fetch_long>("fetch_long", "Fetch of an 8-byte instruction"),
      cost<&T::fetch_short>("fetch_short", "Fetch of a 4-byte instruction"),
      cost<&T::fetch_row>("fetch_row", "Fetch stage in the further rows of a warp"),
      cost<&T::read_mask>("read_mask", "Read stage, first row: active mask"),
      cost<&T::read_predicate>("read_predicate", "Read stage, first row: predicate"),
      cost<&T::read_predicate_row>("read_predicate_row", "Read stage, first row: predicate, more per row of a warp"),
      cost<&T::read_join>("read_join", "Read stage, first row: join that pops the stack"),
      cost<&T::read_nop>("read_nop", "Read stage: all of a NOP"),
      cost<&T::read_flow>("read_flow", "Read stage: control instructions"),
      cost<&T::read_base>("read_base", "Read stage: all other instructions"),
      cost<&T::read_carry>("read_carry", "Read stage: carry of additions with carry"),
      cost<&T::read_register>("read_register", "Read stage: each register operand"),
      cost<&T::read_zero_register>("read_zero_register", "Read stage: register 124 as an operand"),
      cost<&T::read_second_word>("read_second_word", "Read stage: each further word of a 64- or 128-bit operand (assumed)"),
      cost<&T::read_special>("read_special", "Read stage: address, condition or special register"),
      cost<&T::read_direct>("read_direct", "Read stage: s[] or c[] without address register"),
      cost<&T::read_direct_byte>("read_direct_byte", "Read stage: the same, more per byte"),
      cost<&T::read_gather>("read_gather", "Read stage: s[], c[] or l[] with address register, without the lanes"),
      cost<&T::read_global>("read_global", "Read stage: g[], without the lanes"),
      cost<&T::lane_access>("lane_access", "Memory, loads: per active lane and 32-bit word"),
      cost<&T::lane_byte>("lane_byte", "Memory, loads: more per byte of an active lane"),
      cost<&T::lane_store>("lane_store", "Memory, stores: per active lane and 32-bit word"),
      cost<&T::lane_store_byte>("lane_store_byte", "Memory, stores: more per byte of an active lane"),
      cost<&T::lane_idle>("lane_idle", "Memory: per lane that takes no part"),
      cost<&T::execute_move>("execute_move", "Execute stage: moves, loads, stores, NOP"),
      cost<&T::execute_integer>("execute_integer", "Execute stage: other integer instructions, logic"),
      cost<&T::execute_multiply>("execute_multiply", "Execute stage: IMUL"),
      cost<&T::execute_multiply_add>("execute_multiply_add", "Execute stage: IMAD"),
      cost<&T::execute_conversion>("execute_conversion", "Execute stage: conversions with a float side"),
      cost<&T::execute_float_compare>("execute_float_compare", "Execute stage: FSET (FMIN, FMAX, FCMP: assumed)"),
      cost<&T::execute_float_add>("execute_float_add", "Execute stage: FADD when no lane has an operand with its sign set"),
      cost<&T::execute_float_subtract>("execute_float_subtract", "Execute stage: FADD otherwise"),
      cost<&T::execute_float_multiply>("execute_float_multiply", "Execute stage: FMUL"),
      cost<&T::execute_float_multiply_add>("execute_float_multiply_add", "Execute stage: FMAD"),
      cost<&T::execute_special>("execute_special", "Execute stage: RCP, RSQ, LG2, EX2, SIN, COS, RRO, without the lanes"),
      cost<&T::execute_special_lane>("execute_special_lane", "Execute stage: the same, more per SP"),
      cost<&T::execute_flow>("execute_flow", "Execute stage: control instructions"),
      cost<&T::execute_push>("execute_push", "Execute stage: more where the warp stack is pushed"),
      cost<&T::execute_pop>("execute_pop", "Execute stage: more where BRK pops the warp stack"),
      cost<&T::execute_exit>("execute_exit", "Execute stage: more for RET outside of a call"),
      cost<&T::write_none>("write_none", "Write stage: control instructions and NOP"),
      cost<&T::write_discard>("write_discard", "Write stage: result that is not kept"),
      cost<&T::write_register>("write_register", "Write stage: register"),
      cost<&T::write_second_word>("write_second_word", "Write stage: each further word of a 64- or 128-bit result (assumed)"),
      cost<&T::write_half_register>("write_half_register", "Write stage: half register"),
      cost<&T::write_address>("write_address", "Write stage: address register"),
      cost<&T::write_condition>("write_condition", "Write stage: more for a condition register"),
      cost<&T::write_post_increment>("write_post_increment", "Write stage: more for a post-increment; BAR pays it, too"),
      cost<&T::write_shared>("write_shared", "Write stage: s[], without the lanes"),
      cost<&T::write_shared_address>("write_shared_address", "Write stage: more for s[] with address register"),
      cost<&T::write_global>("write_global", "Write stage: g[] or l[], without the lanes"),
  };
}
// clang-format on

}  // namespace gvp::gpgpu::flexgrip
