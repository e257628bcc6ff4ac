// SPDX-License-Identifier: Apache-2.0
package odd_names_package;
  `include "odd_names_sizes.svh"
  localparam int unsigned kWords = 1 << kBits;
endpackage
