// SPDX-License-Identifier: Apache-2.0
// The switches of a build that contains many mutants at a time: GVP_MUTANT is the number of the one
// that runs (none without it), and GVP_MUTANTS_REACHED a file with one byte for each, which a
// process sets to 1 where it comes by the mutant's place.  ./dev mutate puts this header into a
// copy of the sources; nothing else includes it.
#pragma once

// Indices out of bounds end the run.
#ifndef _GLIBCXX_ASSERTIONS
#define _GLIBCXX_ASSERTIONS
#endif

// A mutant is allowed to look odd.
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wnarrowing"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wdangling-else"
#pragma GCC diagnostic ignored "-Wempty-body"
#pragma GCC diagnostic ignored "-Wmisleading-indentation"
#pragma GCC diagnostic ignored "-Wreturn-type"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"
#pragma GCC diagnostic ignored "-Wshift-count-negative"
#pragma GCC diagnostic ignored "-Wshift-negative-value"
#pragma GCC diagnostic ignored "-Woverflow"
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"
#pragma GCC diagnostic ignored "-Wstringop-truncation"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Waddress"
#pragma GCC diagnostic ignored "-Wnonnull"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wvla"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wclass-memaccess"
#pragma GCC diagnostic ignored "-Wcast-function-type"
#pragma GCC diagnostic ignored "-Wnull-dereference"
#pragma GCC diagnostic ignored "-Wfree-nonheap-object"
#pragma GCC diagnostic ignored "-Wuse-after-free"
#pragma GCC diagnostic ignored "-Winfinite-recursion"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-parameter"
#pragma GCC diagnostic ignored "-Wunused-local-typedefs"
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#pragma GCC diagnostic ignored "-Wenum-compare"
#pragma GCC diagnostic ignored "-Wswitch"
#pragma GCC diagnostic ignored "-Wsequence-point"
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wnonnull-compare"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wterminate"
#pragma GCC diagnostic ignored "-Wdangling-pointer"
#pragma GCC diagnostic ignored "-Wrestrict"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wignored-qualifiers"
#pragma GCC diagnostic ignored "-Wredundant-move"
#pragma GCC diagnostic ignored "-Wpessimizing-move"
#pragma GCC diagnostic ignored "-Wrange-loop-construct"
#pragma GCC diagnostic ignored "-Wunused-result"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

namespace gvp_mutation {

inline unsigned chosen = 0;
inline unsigned char* reached = nullptr;
inline unsigned mutants = 0;  // bytes of the file
inline bool started = false;

inline bool is_on(unsigned number) {
  if (number < mutants) reached[number] = 1;
  return number == chosen;
}

// Before any initialisation of static data, which mutants may be part of.  The file is mapped, so
// that what a process reached is known however it ends.
__attribute__((constructor(101), used)) static void start() {
  if (started) return;
  started = true;
  if (const char* number = std::getenv("GVP_MUTANT"))
    chosen = static_cast<unsigned>(std::strtoul(number, nullptr, 10));
  const char* name = std::getenv("GVP_MUTANTS_REACHED");
  const int file = name != nullptr ? open(name, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  struct stat status {};
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    void* place = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ | PROT_WRITE,
                       MAP_SHARED, file, 0);
    if (place != MAP_FAILED) {
      reached = static_cast<unsigned char*>(place);
      mutants = static_cast<unsigned>(status.st_size);
    }
  }
  close(file);
}

}  // namespace gvp_mutation

// Sources with mutants need libraries that they did not need before, SystemC's too, which is not
// loaded without this.  Tests that elaborate have their own, which is the stronger one.
extern "C" __attribute__((weak)) int sc_main(int, char**) { return 1; }

#define GVP_SWITCH_CONSTEXPR
namespace gvp_mutant {
#include "mutation_switch_forms.h"
}  // namespace gvp_mutant
#undef GVP_SWITCH_CONSTEXPR

// In functions that are evaluated by the compiler, too; there all is as it was.
#define GVP_SWITCH_CONSTEXPR constexpr
#define GVP_SWITCH_CONSTANT
namespace gvp_mutant_constexpr {
#include "mutation_switch_forms.h"
}  // namespace gvp_mutant_constexpr
#undef GVP_SWITCH_CONSTANT
#undef GVP_SWITCH_CONSTEXPR
