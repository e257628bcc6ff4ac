// SPDX-License-Identifier: Apache-2.0
// Small PTX kernels for tests: written in a line or two, compiled, run on the machine.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {

// A kernel with one pointer, %out, a number, %n, and the thread index, %t.  %own: the word of
// %out that belongs to the thread.  The body may use %p0... %r0... %f0...
std::string kernel(const std::string& body, const std::string& before = "");

// A body that needs more than 30 registers.
std::string hungry_body();

// The words at %out after a run of one block.
std::vector<uint32_t> results(const std::string& ptx, uint32_t threads = 32, uint32_t n = 7,
                              const g80::Options& options = {}, uint32_t dynamic_shared = 0);

// What it is compiled to, as text, one instruction a line.
std::string code_of(const std::string& ptx, const g80::Options& options = {});
// That from where its last branch that goes back leads to: the rounds of a loop, and the end.
std::string round_of(const std::string& ptx);
size_t count(const std::string& code, const std::string& what);

// The message with which the compiler refuses the text; empty if it does not.
std::string error_of(const std::string& ptx, const g80::Options& options = {});

}  // namespace gvp::kcc
