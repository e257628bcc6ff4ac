// SPDX-License-Identifier: Apache-2.0
// What kcc changes in LLVM's intermediate code, as text, between clang's steps: what it reads of
// the source, optimisation, PTX.
#pragma once

#include <set>
#include <string>

namespace gvp::kcc {

// A variable in shared, global or constant memory that no other file can name is a private matter
// to LLVM: what this thread has not written there is what it was, barrier or not, and what nobody
// in this file writes is zero.  But other threads write it, and so does the host; so each of them
// is made known to the outside.
std::string with_shared_variables(const std::string& text);

// A load that a thread comes to in a branch stays there.  LLVM moves loads of shared memory at
// fixed addresses in front of branches, where threads of other warps make them as well, and race
// with a store of the warp that they were meant for; it does not where a detector of races is to
// look at the code, as gpgpu-run --check is one.
std::string with_loads_in_their_place(const std::string& text);

// Textures that no function reads need no descriptor.
std::string without_unused_textures(const std::string& text);

// Functions of the headers that kcc brings (those in this folder) and of clang's own lose their
// source lines.  Where they are inlined, their code then belongs to the line of the call: a user
// knows his own file.
std::string without_lines_of_headers(const std::string& text, const std::string& folder);

// The functions that the source does not want inlined.
std::set<std::string> separate_functions(const std::string& text);

// None is inlined, but those that always are.
std::string without_inlining(const std::string& text);

// Optimised code: a shift that is said to lose no bit that is set keeps the mask before it, and of
// both LLVM 14 makes a bit field without a sign, also where the shift is arithmetic: (x &
// 0xffff0000)
// >> 16 was 0xffff of -1.  Where nothing is said, the mask goes.
std::string without_exact_shifts(const std::string& text);

// LLVM writes in which order assembly text (that of votes) is used, and cannot read it.
std::string without_orders_of_assembly(const std::string& text);

}  // namespace gvp::kcc
