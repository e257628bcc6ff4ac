// SPDX-License-Identifier: Apache-2.0
// Reads PTX text (PTX ISA 1.0 to 9.0 as clang and nvcc write it for integer and single precision
// kernels; doubles that .target maps to floats are floats already).  Whatever is wrong with the
// text is a gvp::Error with line, column and a caret. Not read: textures, surfaces and samplers,
// .branchtargets, .callprototype, vector registers.
#pragma once

#include <string>

#include "tools/ptx/module.h"

namespace gvp::ptx {

Module parse(Source source);
Module parse(std::string file_name, std::string text);

}  // namespace gvp::ptx
