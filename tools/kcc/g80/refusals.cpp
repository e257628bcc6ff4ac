// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/refusals.h"

#include <map>

namespace gvp::kcc::g80 {

namespace {

// The operators new and delete, whose names clang calls without a declaration of ours.
bool allocates(const std::string& function) {
  for (const char* name : {"_Znw", "_Zna", "_Zdl", "_Zda"})
    if (function.rfind(name, 0) == 0) return true;
  return false;
}

}  // namespace

const Refusal* refusal_of(const std::string& function) {
  static const std::map<std::string, Refusal> kRefusals{
      {"kcc_refuse_atomic",
       {"atomic operations need compute capability 1.1; this machine has 1.0",
        "let each thread or block write a place of its own, and add these up in a second step; or, "
        "for a device that is configured with them, give --device-extensions"}},
      {"kcc_refuse_wide_atomic",
       {"atomic operations on 64 bits need compute capability 1.2; this machine has them on 32 "
        "bits",
        "use int, unsigned or float"}},
      {"kcc_refuse_vote",
       {"votes need compute capability 1.2; this machine has 1.0",
        "let the threads meet in a shared variable; or, for a device that is configured with them, "
        "give --device-extensions"}},
      {"kcc_refuse_ballot",
       {"__ballot() needs compute capability 2.0; this machine has 1.0",
        "let the threads meet in a shared array"}},
      {"kcc_refuse_counting_barrier",
       {"barriers that count or vote need compute capability 2.0; this machine has 1.0",
        "let the threads meet in a shared array, and use __syncthreads()"}},
      {"kcc_refuse_system_fence",
       {"__threadfence_system() needs compute capability 2.0; this machine has 1.0",
        "use __threadfence(): the host reads only after the kernel"}},
      {"kcc_refuse_printf",
       {"printf() needs compute capability 2.0; this machine has 1.0 and no way to print",
        "store what is of interest in global memory and print it on the host, or leave the call "
        "out with #ifndef __CUDA_ARCH__"}},
      {"kcc_refuse_assert",
       {"assert() needs compute capability 2.0; this machine has 1.0 and no way to stop with a "
        "message",
        "compile with -DNDEBUG, which leaves assertions out, or store an error code in global "
        "memory"}},
      {"kcc_refuse_shuffle",
       {"shuffles need compute capability 3.0; this machine has 1.0",
        "exchange values in shared memory"}},
      {"kcc_refuse_texture_object",
       {"texture objects need compute capability 3.0; this machine has 1.0",
        "use a texture reference, texture<float, 1> name, which is a variable of the file"}},
      {"kcc_refuse_texture_kind",
       {"layered textures, cube maps and gathers need compute capability 2.0; this machine has 1.0",
        "use a texture of two or three dimensions"}},
      {"kcc_refuse_surface",
       {"surfaces need compute capability 2.0; this machine has 1.0",
        "write to global memory through a pointer"}},
      {"kcc_refuse_memory_allocation",
       {"malloc(), free(), new and delete in kernels need compute capability 2.0; this machine has "
        "1.0",
        "let the host allocate the memory and pass its address"}},
      {"kcc_refuse_unknown_name",
       {"a kernel calls this function, which is not understood (a warning says why)",
        "a header is missing that may have what it names: give its folder with -I"}},
      {"kcc_refuse_rounding",
       {"the machine adds and multiplies to nearest or towards zero only, and divides to nearest",
        "use the function that ends in _rn or _rz"}},
  };
  const auto found =
      kRefusals.find(allocates(function) ? "kcc_refuse_memory_allocation" : function);
  return found == kRefusals.end() ? nullptr : &found->second;
}

}  // namespace gvp::kcc::g80
