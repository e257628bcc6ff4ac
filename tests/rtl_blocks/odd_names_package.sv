// SPDX-License-Identifier: Apache-2.0
package odd_names_package;
  localparam int unsigned kBits = 5;
  localparam int unsigned kWords = 1 << kBits;
endpackage
