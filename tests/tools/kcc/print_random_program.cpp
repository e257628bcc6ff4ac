// SPDX-License-Identifier: Apache-2.0
// Prints the random program of a seed in CUDA C, to look into a failure: print_random_program SEED
#include <cstdlib>
#include <iostream>

#include "tests/tools/kcc/programs/random_program.h"

int main(int argc, char** argv) {
  const unsigned long seed = argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 1;
  const auto program = gvp::kcc::random_program(static_cast<uint32_t>(seed));
  std::cout << "// grid " << program.grid << ", block " << program.threads << ", "
            << program.dynamic_shared << " bytes of dynamic shared memory\n"
            << "#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]\n"
            << program.text();
}
