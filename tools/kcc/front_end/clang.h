// SPDX-License-Identifier: Apache-2.0
// Clang as kcc calls it: with CUDA C for a 32-bit device, our headers in the place of NVIDIA's, and
// the host's headers as the host's compiler finds them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tools/kcc/front_end/child_process.h"

namespace gvp::kcc {

class Clang {
 public:
  // arguments: -I, -D and the like, which preprocessing takes.  The clang is $KCC_CLANG, else
  // clang-14 or clang from the path.  Throws gvp::Error when there is none.
  Clang(const std::string& file, unsigned optimise, bool fast_math,
        std::vector<std::string> arguments);

  // CUDA C to LLVM's intermediate code, nothing optimised yet.  check: messages only, and how much
  // there is (declarations_in).
  Outcome parse(bool check = false) const;
  // CUDA C to the text that is left after preprocessing.
  Outcome preprocess() const;
  // As parse(), of such a text.
  Outcome parse_preprocessed(const std::string& text, bool check) const;
  // Intermediate code to such that is optimised.
  Outcome optimise(const std::string& intermediate_code) const;
  // As far as that variables are no longer in memory; all stores stay.
  Outcome simplify(const std::string& intermediate_code) const;
  // Optimised intermediate code to PTX.
  Outcome generate(const std::string& intermediate_code) const;

  // Whether names in templates are looked up where the text ends, also in classes that depend on
  // the templates' parameters.
  void look_up_late(bool late) { late_ = late; }

  // A function whose end is reached without the value that it owes goes back all the same, with
  // any.
  void return_from_ends(bool any) { returns_from_ends_ = any; }

  // Whoever leaves a block of the source goes straight to where he leaves for, and not by way of
  // the block's end with a note of where that is.
  void leave_directly(bool directly) { leaves_directly_ = directly; }

  // As -O1 and -O2 do it, which is what the constructor takes.
  void optimise_as(unsigned level) { optimise_ = level; }

  // Large functions are inlined, too, and not left to what reads PTX.
  void inline_large(bool large) { inlines_large_ = large; }

  // Whether intermediate code tells which lines of the source it comes from, as it does unless
  // told.
  void tell_lines(bool tell) { lines_ = tell; }
  bool tells_lines() const { return lines_; }

  // From now on a header of this name that cannot be found is our own of its file name, else an
  // empty one.
  void leave_out_header(const std::string& name) { missing_.insert(name); }

  // Where our headers are: beside the executable (../share/gpgpu-vp/kcc/include), where building
  // and installing put them.
  static std::string header_folder();
  // Our header of CUDA's or its samples that has this file name, whatever the folders in front of
  // it; empty if there is none.
  static std::string own_header(const std::string& name);

 private:
  std::vector<std::string> common() const;
  std::vector<std::string> headers() const;
  std::vector<std::string> of_intermediate_code() const;
  Outcome run_clang(std::vector<std::string> words, const std::string& input) const;

  std::string clang_;
  std::string file_;
  unsigned optimise_;
  bool fast_math_;
  std::vector<std::string> arguments_;
  std::vector<std::string> system_;  // -isystem and -idirafter of the host's headers
  std::set<std::string> missing_;
  bool late_ = false;
  bool returns_from_ends_ = false;
  bool leaves_directly_ = false;
  bool lines_ = true;
  bool inlines_large_ = false;
};

}  // namespace gvp::kcc
