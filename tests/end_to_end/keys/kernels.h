// SPDX-License-Identifier: Apache-2.0
// Programs that configuration keys are tried with.
#pragma once

#include <string>

namespace gvp::test {

// Cubins of kernels and an executable of the MicroBlaze, in files that go with it.
struct KeyKernels {
  KeyKernels();
  ~KeyKernels();
  KeyKernels(const KeyKernels&) = delete;
  KeyKernels& operator=(const KeyKernels&) = delete;

  std::string everything;  // every kind of instruction and operand that has a cost of its own
  std::string arithmetic;  // stores a truncated multiply-add and a denormal sum
  std::string extensions;  // what a device without extensions stops at
  std::string large;       // code and constants of more than a kilobyte
  std::string misaligned;  // loads a word from where none is
  std::string columns;     // reads words of lines far apart again and again, writes some of them
  std::string scattered;   // reads constants far apart in a loop of some length
  std::string versions;    // ends with a value made of MSR and the version registers
};

}  // namespace gvp::test
