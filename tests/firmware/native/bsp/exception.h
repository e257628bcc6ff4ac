/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GVP_TESTS_NATIVE_EXCEPTION_H
#define GVP_TESTS_NATIVE_EXCEPTION_H

#include "bsp/io.h"

bool probe_read32(uint32_t address, uint32_t* value);

#endif
