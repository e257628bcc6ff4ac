// SPDX-License-Identifier: Apache-2.0
// glibc includes this file where addresses have 32 bits.  A host that has 64 lacks it; it says
// which functions of the library do nothing, and code for the host is not generated.
#pragma once
