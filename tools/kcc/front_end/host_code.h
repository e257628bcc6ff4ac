// SPDX-License-Identifier: Apache-2.0
// Host code is parsed like everything else, because its launches say which templates are kernels;
// code for it is not generated.  So what clang does not understand of it (a library that is not
// there, a name of another system) does not matter, and is taken out of the preprocessed text:
// statement by statement, then whole bodies, of which launches with explicit template arguments
// stay.  Types that are not there are declared, so that functions with parameters of them stay; of
// other functions whose heads are not understood, the bodies stay if there are such launches.
// What belongs to the device is never touched, unless the kernels without errors are asked for.
// Functions that the device calls and that are not marked as its own are the device's, too, as they
// were for the compilers of that time, which looked for a body alone.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/kcc/front_end/clang.h"
#include "tools/kcc/front_end/source_text.h"

namespace gvp::kcc {

struct LeftOut {
  std::string place;   // "k.cu:12"
  std::string reason;  // clang's
};

class HostCode {
 public:
  HostCode(const Clang& clang, const std::string& preprocessed);

  // Takes out what clang does not understand, as far as it is the host's.
  void clean();
  // Errors at names that are likely to be words of CUDA's, misspelled, and what they are likely to
  // mean: what they stand before would be taken for the host's.
  const std::vector<std::string>& misspelled() const { return misspelled_; }
  // Where headers are missing, the device's code may name what they have without a kernel that
  // needs it: makes of functions that clang does not understand some that refuse whoever calls
  // them, and leaves out other declarations that no code of the device names.
  void refuse_broken_functions();
  // Takes out device functions and kernels with errors, too; the names of the kernels.
  std::vector<std::string> remove_broken_kernels();

  const std::string& text() const { return text_.text(); }
  // What clang had to read of it in the end, instances of templates among it; 0: not known.
  size_t declarations() const { return declarations_; }
  // Functions without __device__ that the device calls.
  const std::vector<LeftOut>& shared() const { return shared_; }
  // Functions of the device that refuse to be called, and its declarations that are left out.
  const std::vector<LeftOut>& refused() const { return refused_; }
  const std::vector<LeftOut>& unneeded() const { return unneeded_; }
  // Statements and declarations that were taken out.
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  // Launches of templates among them whose arguments are not written there, or that stand where
  // nothing can stay: "k.cu:12".
  const std::vector<std::string>& lost_launches() const { return lost_launches_; }

 private:
  bool device_sees(const std::string& type) const;
  bool device_sees(const std::string& type, std::set<std::string>& seen) const;
  bool is_member_for_device(const Declaration& member) const;
  Outcome check() const { return clang_.parse_preprocessed(text_.numbered(), true); }
  void note_misspelled(const Outcome& checked);
  bool declare_unknown_types(const Outcome& checked);
  bool qualify_ambiguous_names(const Outcome& checked);
  bool add_missing_words(const Outcome& checked);
  bool insert(const std::set<size_t>& places, const std::string& words);
  bool share_with_device(const Outcome& checked);
  bool is_shared_with_device(const Declaration& declaration,
                             const std::set<std::string>& names) const;
  bool clean_once(const Outcome& checked);
  bool refuse_broken_function();
  const Declaration* unneeded_around(size_t at) const;
  bool keep_body(const Declaration& function);
  bool is_template_kernel(std::string_view name) const;
  bool remove_host(size_t at, const std::string& reason);
  const Declaration* host_declaration(size_t at) const;
  void remove(const Span& span, size_t at, const std::string& reason);

  const Clang& clang_;
  SourceText text_;
  size_t declarations_ = 0;
  std::vector<unsigned> rounds_;    // by declaration: how often something was taken out
  std::set<std::string> declared_;  // types that are not there
  std::vector<std::string> misspelled_;
  std::set<size_t> new_heads_;  // bodies whose functions have got new heads just now
  std::vector<LeftOut> left_out_;
  std::vector<LeftOut> shared_;  // reason: which
  std::vector<LeftOut> refused_;
  std::vector<LeftOut> unneeded_;
  std::vector<std::string> lost_launches_;
};

}  // namespace gvp::kcc
