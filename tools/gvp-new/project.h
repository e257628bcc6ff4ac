// SPDX-License-Identifier: Apache-2.0
// A firmware project of the user's own, made from the SDK's template: every file of the template,
// with its placeholders (@NAME@, @SDK@, @BIN@) replaced.  POSIX.
#pragma once

#include <filesystem>
#include <string>

namespace gvp::tools {

struct Project {
  std::filesystem::path directory;  // where it comes to be; not there yet, or empty
  std::string name;                 // of the program; "": the directory's
  std::filesystem::path sdk;        // share/gpgpu-vp/sdk of an installation or of a build
  std::filesystem::path programs;   // where gvp-gdb is
};

// Where the SDK lies relative to a program that is installed, or built, with it.
std::filesystem::path sdk_of(const std::filesystem::path& program);

// Returns the name.  Throws Error (bad input) for a name that CMake or a file system would not
// take, a directory that holds something already, an SDK that is not there, and what cannot be
// written.
std::string make_project(const Project& project);

}  // namespace gvp::tools
