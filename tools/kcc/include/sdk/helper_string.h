// SPDX-License-Identifier: Apache-2.0
// For sources that include <helper_string.h> of the CUDA samples.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_WAIVED 2

bool checkCmdLineFlag(const int, const char**, const char*);
int getCmdLineArgumentInt(const int, const char**, const char*);
float getCmdLineArgumentFloat(const int, const char**, const char*);
bool getCmdLineArgumentString(const int, const char**, const char*, char**);
char* sdkFindFilePath(const char*, const char*);
