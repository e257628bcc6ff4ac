// SPDX-License-Identifier: Apache-2.0
// The host part of a program in CUDA C as C for the board's processor, with the kernels in it:
// `kcc --host-wrapper`.  Kernels become functions that launch them, <<<>>> calls of these, what is
// for the device alone goes; the rest stays as it is, line by line, so that the C compiler's
// messages are about the source.  It must be C but for launches, dim3's constructors, functional
// casts and structures' names.  The result needs firmware/cuda.
#pragma once

#include <string>

namespace gvp::kcc {

// file: for messages and the C compiler's.  cubin: of the file's kernels, in text form.
// Throws gvp::Error with the place of what cannot be C.
std::string host_wrapper(const std::string& file, const std::string& source,
                         const std::string& cubin);

}  // namespace gvp::kcc
