// SPDX-License-Identifier: Apache-2.0
// Where clang reads what the preprocessor made of a source, columns are of that text: comments and
// blanks are gone, macros are expanded.
#pragma once

#include <string>

namespace gvp::kcc {

// PTX whose places (.loc) have the columns of the sources, read again, in the place of those of the
// preprocessed text; 0, which is none, where the two differ too much to tell.
std::string with_columns_of_sources(const std::string& ptx, const std::string& preprocessed);

// The column in a line of a source of what is at a column of the same line, preprocessed.  Both
// count from 1.
size_t column_of_source(const std::string& source, const std::string& preprocessed, size_t column);

}  // namespace gvp::kcc
