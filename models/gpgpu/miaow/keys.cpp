// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/keys.h"

namespace gvp::gpgpu::miaow {

using namespace device;
using C = Configuration;

namespace {

template <auto kMember>
Field cost(std::any& settings) {
  return &(std::any_cast<C&>(settings).timing.*kMember);
}

template <auto kMember>
Key cost_key(const char* name, const char* meaning) {
  return {name, cost<kMember>, range(1, 1000), "cycles", meaning};
}

}  // namespace

const std::vector<Key>& keys() {
  using T = Timing;
  static const std::vector<Key> all = {
      {"clock_hz", field<&C::clock_hz>, range(1e6, 1e9), "Hz",
       "Clock of the compute unit and its registers (SCRATCH: 50 MHz)"},
      {"prefetch", field<&C::prefetch>, anything(), "",
       "Prefetch memory present: the first 1 MiB of addresses; false: the host serves them, too"},
      {"check_buffers", field<&C::check_buffers>, anything(), "",
       "Accesses beyond a buffer's end read 0 and write nothing, as AMD specifies; false: there "
       "are "
       "no ends, as in the RTL"},
      {"rtl_quirks", field<&C::rtl_quirks>, anything(), "",
       "Instructions do what they do on the published RTL, and those it has no unit for never end; "
       "false: what AMD specifies"},
      {"rtl_instructions", field<&C::rtl_instructions>, anything(), "",
       "Instructions that the published RTL has no unit for are faults"},
      {"instructions", field<&C::instructions>, anything(), "",
       "File of the instructions that a trimmed device has, as gvp-trim --trimmed writes it; "
       "others "
       "are faults. Empty: it has all"},
      {"compute_units", field<&C::compute_units>, range(1, 16), "",
       "Compute units; those beyond the first run grids of the queue alone"},
      {"integer_units", field<&C::integer_units>, range(1, 4), "",
       "Vector units for integers (SIMD) of a compute unit; approximately timed they work side by "
       "side"},
      {"float_units", field<&C::float_units>, range(1, 4), "",
       "Vector units for floats (SIMF) of a compute unit, likewise"},
      {"wavefronts", field<&C::wavefronts>, range(1, kWavefrontSlots), "",
       "Wavefronts that a compute unit holds at a time, of grids of the queue (MIAOW's RTL has 40 "
       "slots; SCRATCH's interface starts one)"},
      {"dispatch_cycles", field<&C::dispatch_cycles>, range(1, 1000), "cycles",
       "From a free compute unit to the start of the queue's next wavefront in it (assumed)"},
      cost_key<&T::launch>("timing.launch", "Start and end of a wavefront"),
      cost_key<&T::scalar>("timing.scalar", "Scalar operation"),
      cost_key<&T::branch_taken>("timing.branch_taken",
                                 "Taken branch, until the next instruction can be issued"),
      cost_key<&T::branch_not_taken>("timing.branch_not_taken",
                                     "Branch that is not taken, likewise (assumed)"),
      cost_key<&T::issue>("timing.issue",
                          "Between two issues of a wavefront; all that s_waitcnt costs"),
      cost_key<&T::vector_base>("timing.vector_base",
                                "Vector operation, besides its four beats of 16 lanes"),
      cost_key<&T::vector_result>(
          "timing.vector_result",
          "From the end of a vector operation until what depends on it can be issued"),
      cost_key<&T::integer_beat>("timing.integer_beat", "Beat of an integer operation"),
      cost_key<&T::integer_multiply_beat>("timing.integer_multiply_beat",
                                          "Beat of an integer multiplication"),
      cost_key<&T::float_compare_beat>("timing.float_compare_beat",
                                       "Beat of a comparison, minimum or maximum of floats"),
      cost_key<&T::convert_beat>("timing.convert_beat", "Beat of a conversion or rounding"),
      cost_key<&T::float_add_beat>("timing.float_add_beat",
                                   "Beat of an addition or subtraction of floats"),
      cost_key<&T::float_multiply_beat>("timing.float_multiply_beat",
                                        "Beat of a multiplication of floats"),
      cost_key<&T::reciprocal_beat>("timing.reciprocal_beat",
                                    "Beat of a reciprocal, root, logarithm or the like"),
      cost_key<&T::memory_word>("timing.memory_word", "Word in prefetch memory"),
      cost_key<&T::memory_load>("timing.memory_load", "Load, besides its words"),
      cost_key<&T::memory_register>("timing.memory_register",
                                    "Each vector register but the first of a load"),
      cost_key<&T::memory_store>("timing.memory_store", "Store, besides its words"),
  };
  return all;
}

void validate(const Configuration& configuration) {
  std::any settings = configuration;
  for (const Key& key : keys()) require_allowed("miaow", key, settings);
}

}  // namespace gvp::gpgpu::miaow
