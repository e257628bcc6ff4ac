// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <regex>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "models/base/error.h"
#include "tools/kcc/front_end/arguments.h"
#include "tools/kcc/front_end/clang.h"
#include "tools/kcc/front_end/columns.h"
#include "tools/kcc/front_end/diagnostics.h"
#include "tools/kcc/front_end/generation.h"
#include "tools/kcc/front_end/host_code.h"
#include "tools/kcc/front_end/host_warnings.h"
#include "tools/kcc/front_end/inlined_size.h"
#include "tools/kcc/front_end/launch_brackets.h"
#include "tools/kcc/front_end/messages.h"
#include "tools/kcc/front_end/parts.h"
#include "tools/kcc/front_end/surplus_qualifiers.h"
#include "tools/kcc/front_end/unroll_counts.h"

namespace gvp::kcc {
namespace {

constexpr unsigned kMostMissingHeaders = 100;
// Bytes of intermediate code for which LLVM takes about half a second.
constexpr size_t kLarge = 2u << 20;
// Without lines, which make about half of it: up to twice as much is optimised in two ways at a
// time rather than in two parts.
constexpr size_t kMostBothWays = kLarge;
// The same in declarations that clang reads: the headers of a system's C++ are 12,000.
constexpr size_t kManyDeclarations = 15000;
// Instructions of intermediate code, nothing optimised yet, with all calls inlined: below, a kernel
// has room in devices, and LLVM takes a second for it.  Others are to call functions.
constexpr size_t kMostInlined = 40000;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Sources that bring their kernels with them are needed; other headers may be the host's.
bool may_be_left_out(const std::string& header) {
  for (const char* kind : {".cu", ".cuh", ".inl"})
    if (ends_with(header, kind)) return false;
  return true;
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool declares_texture(const std::string& text) {
  static const std::regex kTexture("\\btexture\\s*<");
  return std::regex_search(text, kTexture);
}

// Whether launches or explicit instances may make many kernels of a few templates.
bool asks_for_instances(const std::string& text) {
  static const std::regex kInstance(">\\s*<<<|\\btemplate\\s+[^<\\s]");
  return std::regex_search(text, kInstance);
}

// Whether intermediate code has variables of the device that are declared only, as `extern "C"`
// does it (surplus_qualifiers.h).  Those in shared memory (3) are dynamic.
bool lacks_variables(const std::string& intermediate) {
  constexpr std::string_view kExternal = " = external ";
  for (size_t at = intermediate.find(kExternal); at != std::string::npos;
       at = intermediate.find(kExternal, at)) {
    const size_t begin = at + kExternal.size();
    at = std::min(intermediate.find('\n', begin), intermediate.size());
    const std::string_view rest = std::string_view(intermediate).substr(begin, at - begin);
    for (const std::string_view space : {"addrspace(1)", "addrspace(4)"})
      if (rest.find(space) != std::string_view::npos) return true;
  }
  return false;
}

// Whether a function of intermediate code owes a value and has an end that clang takes for never
// reached, on whose way everything would be left out.  Old compilers went back with any value.
bool ends_without_value(const std::string& intermediate) {
  constexpr std::string_view kDefine = "\ndefine ";
  for (size_t at = intermediate.find("\n  unreachable"); at != std::string::npos;
       at = intermediate.find("\n  unreachable", at + 1)) {
    const size_t define = intermediate.rfind(kDefine, at);
    if (define == std::string::npos) continue;
    const size_t name = intermediate.find('@', define);
    if (intermediate.compare(name - 5, 5, "void ") != 0) return true;
  }
  return false;
}

// Whether threads leave blocks of the source by way of the blocks' ends, where what comes next is
// looked up, and there are barriers: threads that end would be taken for such as may come to them.
bool leaves_by_ends(const std::string& intermediate) {
  if (intermediate.find(" @llvm.nvvm.barrier") == std::string::npos) return false;
  constexpr std::string_view kEnd = "  call void @llvm.lifetime.end";
  constexpr std::string_view kSwitch = "\n  switch i32 ";
  for (size_t at = intermediate.find(kSwitch); at != std::string::npos;
       at = intermediate.find(kSwitch, at + 1)) {
    // The lines before: the end of a life, and the load of the number.
    const size_t load = intermediate.rfind('\n', at - 1);
    const size_t end = load == std::string::npos ? load : intermediate.rfind('\n', load - 1);
    if (end != std::string::npos && intermediate.compare(end + 1, kEnd.size(), kEnd) == 0)
      return true;
  }
  return false;
}

struct WaysWanted {
  bool return_from_ends = false;
  bool leave_directly = false;
  bool any() const { return return_from_ends || leave_directly; }
};

// Whether some of the errors are names in templates that are declared behind them, or in a class on
// which theirs depends.
bool may_be_found_later(const std::string& messages) {
  const auto errors = errors_in(messages);
  return std::any_of(errors.begin(), errors.end(), [](const Diagnostic& error) {
    return error.text.rfind("use of undeclared identifier '", 0) == 0 ||
           error.text.find("neither visible in the template definition") != std::string::npos;
  });
}

using Reader = std::function<Outcome(const Clang&)>;

class CudaFile : public std::enable_shared_from_this<CudaFile> {
 public:
  CudaFile(const std::string& file, const FrontEndOptions& options)
      : file_(file),
        options_(options),
        clang_(file, options.optimise, options.fast_math, clang_arguments(options)) {}

  FrontEndResult compile() {
    intermediate_ = read();
    clang_.inline_large(largest_when_inlined(intermediate_) <= kMostInlined);
    const bool large =
        options_.in_parts && intermediate_.size() >= (again_with_lines_ ? kLarge / 2 : kLarge);
    const bool both =
        options_.both_ways && options_.optimise == 2 && size_without_lines() < kMostBothWays;
    if (large && !both && !options_.lines) {
      if (auto ptx = generation().in_parts_without_lines(intermediate_)) {
        result_.ptx = std::move(*ptx);
        result_.with_lines = [file = shared_from_this()] {
          return file->with_columns(file->with_lines(true));
        };
        return std::move(result_);
      }
    }
    if (both) {
      std::tie(result_.ptx, result_.gentler) = generation().both_ways(read_with_lines());
    } else {
      result_.ptx = with_lines(large);
    }
    result_.ptx = with_columns(std::move(result_.ptx));
    result_.gentler = with_columns(std::move(result_.gentler));
    return std::move(result_);
  }

 private:
  Generation generation() const { return {file_, options_, clang_}; }

  size_t size_without_lines() const {
    return again_with_lines_ ? intermediate_.size() : without_lines(intermediate_).size();
  }

  const std::string& read_with_lines() {
    if (again_with_lines_) intermediate_ = std::exchange(again_with_lines_, nullptr)();
    return intermediate_;
  }

  std::string with_lines(bool large) {
    read_with_lines();
    if (!large) return generation().as_a_whole(intermediate_);
    auto ptx = generation().in_parts(intermediate_);
    return ptx ? std::move(*ptx) : generation().as_a_whole(intermediate_);
  }

  std::string with_columns(std::string ptx) const {
    return repaired_.empty() ? std::move(ptx) : with_columns_of_sources(ptx, repaired_);
  }

  // As it stands, if clang understands all of it.
  std::string read() {
    const std::string text = text_of(file_);
    if (declares_texture(text)) return read_without_host();
    size_t declarations = 0;
    if (asks_for_instances(text)) {
      const Outcome checked = clang_.parse(true);
      if (!checked.good()) return read_without_host();
      declarations = declarations_in(checked.messages);
    }
    Outcome parsed = parse([](const Clang& clang) { return clang.parse(); }, declarations);
    if (!parsed.good() || lacks_variables(parsed.output)) return read_without_host();
    parsed = with_other_ways(std::move(parsed));
    if (!parsed.messages.empty())
      show(without_host_warnings(parsed.messages, SourceText(preprocessed())));
    return as_read(std::move(parsed));
  }

  std::string read_without_host() {
    const std::string text = preprocessed();
    auto code = std::make_unique<HostCode>(clang_, text);
    code->clean();
    if (!code->misspelled().empty()) {
      for (const std::string& error : code->misspelled()) std::cerr << error << '\n';
      refused(file_);
    }
    Outcome parsed = parse(*code);
    if (!parsed.good() && may_be_found_later(parsed.messages)) {
      // Compilers of that time parsed templates where they were instantiated.
      clang_.look_up_late(true);
      auto late = std::make_unique<HostCode>(clang_, text);
      late->clean();
      Outcome again = parse(*late);
      clang_.look_up_late(again.good());
      if (again.good()) {
        code = std::move(late);
        parsed = std::move(again);
      }
    }
    if (!parsed.good() && lacks_headers_) {
      code->refuse_broken_functions();
      parsed = parse(*code);
    }
    return generated_from(*code, std::move(parsed));
  }

  std::string generated_from(HostCode& code, Outcome parsed) {
    if (parsed.good()) {
      parsed = with_other_ways(std::move(parsed));
      if (!parsed.messages.empty())
        show(without_host_warnings(parsed.messages, SourceText(code.text())));
    } else {
      show_errors(parsed.messages);
      if (!options_.keep_going) refused(file_);
      result_.refused_kernels = code.remove_broken_kernels();
      parsed = parse(code);
      if (!parsed.good()) refused(file_);
      parsed = with_other_ways(std::move(parsed));
    }
    tell(code);
    repaired_ = code.text();
    return as_read(std::move(parsed));
  }

  Outcome parse(const HostCode& code) {
    return parse(
        [text = code.text()](const Clang& clang) { return clang.parse_preprocessed(text, false); },
        code.declarations());
  }

  // Of very much, without lines for now, and at the same time with the ways that it may want.
  Outcome parse(Reader reader, size_t declarations) {
    reader_ = std::move(reader);
    const bool much = declarations >= kManyDeclarations;
    clang_.tell_lines(!much || !options_.in_parts || options_.lines);
    if (much && std::thread::hardware_concurrency() > 1) {
      direct_ = std::async(std::launch::async, [clang = clang_, read = reader_]() mutable {
        clang.leave_directly(true);
        return read(clang);
      });
    }
    return reader_(clang_);
  }

  Outcome with_other_ways(Outcome parsed) {
    const WaysWanted ways = wants_other_ways(parsed);
    if (!ways.any()) return parsed;
    if (!ways.return_from_ends && direct_.valid()) return direct_.get();
    return reader_(clang_);
  }

  // What was read last is what counts.
  std::string as_read(Outcome parsed) {
    direct_ = {};
    if (!clang_.tells_lines()) {
      again_with_lines_ = [file = file_, clang = clang_, read = reader_]() mutable {
        clang.tell_lines(true);
        Outcome again = read(clang);
        if (again.good()) return std::move(again.output);
        show(again.messages);
        refused(file);
      };
    }
    return std::move(parsed.output);
  }

  // Whether what clang made is to be made again, with other ways from blocks and functions.
  WaysWanted wants_other_ways(const Outcome& parsed) {
    const WaysWanted ways{ends_without_value(parsed.output), leaves_by_ends(parsed.output)};
    clang_.return_from_ends(ways.return_from_ends);
    clang_.leave_directly(ways.leave_directly);
    return ways;
  }

  std::string preprocessed() {
    for (unsigned missing = 0; missing < kMostMissingHeaders; ++missing) {
      const Outcome outcome = clang_.preprocess();
      if (outcome.good())
        return with_whole_launch_brackets(
            without_surplus_qualifiers(with_unroll_counts(outcome.output)));
      const auto errors = errors_in(outcome.messages);
      const std::string header = errors.empty() ? "" : missing_header(errors.back());
      // Without a source's line it is the command line's, which means what it says.
      if (header.empty() || !may_be_left_out(header) || errors.back().place.file == "<built-in>") {
        show(outcome.messages);
        refused(file_);
      }
      const Diagnostic::Place& place = errors.back().place;
      std::cerr << place.file << ':' << place.line << ": warning: header \"" << header
                << "\" is not there and is taken for "
                << (Clang::own_header(header).empty() ? "empty" : "kcc's own of this name") << '\n';
      clang_.leave_out_header(header);
      lacks_headers_ = true;
    }
    throw bad_input("includes too many headers that are not there", {file_},
                    "name their folders with -I");
  }

  // The source itself has the columns that the user knows; text whose macros are expanded has not.
  void show_errors(const std::string& messages) const {
    const std::string own = only_errors_at(clang_.parse().messages, errors_in(messages));
    show(own.empty() ? messages : own);
  }

  void tell(const HostCode& code) {
    for (const std::string& place : code.lost_launches()) {
      std::cerr << place
                << ": warning: this launch is not understood; its instance of the template is not "
                   "compiled unless another launch needs it\n";
    }
    for (const LeftOut& each : code.shared())
      std::cerr << each.place << ": warning: " << each.reason
                << " is called by the device and has no __device__; it is compiled for both\n";
    for (const LeftOut& each : code.refused())
      std::cerr << each.place << ": warning: this function of the device is not understood ("
                << each.reason << "); kernels that call it are refused\n";
    for (const LeftOut& each : code.unneeded())
      std::cerr << each.place << ": warning: this declaration is not understood (" << each.reason
                << ") and is left out, as no code of the device names it\n";
    for (const LeftOut& each : code.left_out())
      result_.left_out.push_back(each.place + ": " + each.reason);
    if (!options_.verbose) return;
    for (const LeftOut& each : code.left_out())
      std::cerr << each.place << ": host code left out: " << each.reason << '\n';
  }

  const std::string file_;
  const FrontEndOptions options_;
  Clang clang_;
  bool lacks_headers_ = false;
  Reader reader_;                                  // of what clang is to read
  std::future<Outcome> direct_;                    // what it reads when blocks are left directly
  std::function<std::string()> again_with_lines_;  // reads what was read without
  std::string intermediate_;                       // as clang read it
  std::string repaired_;                           // the text that it read, if not the source's
  FrontEndResult result_;
};

}  // namespace

FrontEndResult compile_cuda_file(const std::string& file, const FrontEndOptions& options) {
  return std::make_shared<CudaFile>(file, options)->compile();
}

std::string compile_cuda(const std::string& file, const FrontEndOptions& options) {
  return compile_cuda_file(file, options).ptx;
}

}  // namespace gvp::kcc
