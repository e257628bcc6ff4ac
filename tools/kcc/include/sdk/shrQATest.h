// SPDX-License-Identifier: Apache-2.0
// For sources that include <shrQATest.h> of the CUDA SDK.
#pragma once

enum { QA_FAILED = 0, QA_PASSED = 1, QA_WAIVED = 2 };
void shrQAStart(int, char**);
void shrQAFinish(int, const char**, int);
void shrQAFinishExit(int, const char**, int);
