// SPDX-License-Identifier: Apache-2.0
// Prints the random kernel of a seed, to look into a failure: print_random_kernel SEED
#include <cstdlib>
#include <iostream>

#include "tests/tools/kcc/random_kernel.h"

int main(int argc, char** argv) {
  const unsigned long seed = argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 1;
  const auto kernel = gvp::kcc::random_kernel(static_cast<uint32_t>(seed));
  std::cout << "// grid " << kernel.grid.grid_x << ", block " << kernel.grid.block_x << " x "
            << kernel.grid.block_y << "\n"
            << kernel.ptx;
}
