# SPDX-License-Identifier: Apache-2.0
# The packages that the libraries link to: read by the build and by find_package(gpgpu-vp).
find_package(SystemC 2.3.4 REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(tomlplusplus 3 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libelf REQUIRED IMPORTED_TARGET libelf)
find_package(asmjit CONFIG QUIET)  # for the MicroBlaze's dynamic translator; optional
