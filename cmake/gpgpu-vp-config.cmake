# SPDX-License-Identifier: Apache-2.0
# find_package(gpgpu-vp): the models and the platform as targets gvp::NAME, one a folder.
list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
include(GvpDependencies)
list(POP_FRONT CMAKE_MODULE_PATH)
include(${CMAKE_CURRENT_LIST_DIR}/gpgpu-vp-targets.cmake)
