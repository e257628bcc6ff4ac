// SPDX-License-Identifier: Apache-2.0
// For sources that include <shrUtils.h> of the CUDA SDK.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LOGCONSOLE = 1,
  LOGFILE = 2,
  LOGBOTH = 3,
  APPENDMODE = 4,
  MASTER = 8,
  ERRORMSG = 16,
  CLOSELOG = 32
};
typedef int shrBOOL;
#define shrTRUE 1
#define shrFALSE 0
#define shrCheckError(a, b) (void)((a) == (b))
#define shrEXIT(...)

int shrLog(const char*, ...);
int shrLogEx(int, int, const char*, ...);
void shrSetLogFileName(const char*);
char* shrFindFilePath(const char*, const char*);
double shrDeltaT(int);
void shrFillArray(float*, int);
int shrRoundUp(int, int);
shrBOOL shrCheckCmdLineFlag(int, const char**, const char*);
shrBOOL shrGetCmdLineArgumenti(int, const char**, const char*, int*);
shrBOOL shrGetCmdLineArgumentf(int, const char**, const char*, float*);
shrBOOL shrGetCmdLineArgumentu(int, const char**, const char*, unsigned*);
shrBOOL shrGetCmdLineArgumentstr(int, const char**, const char*, char**);
shrBOOL shrComparefe(const float*, const float*, unsigned, float);
shrBOOL shrCompareL2fe(const float*, const float*, unsigned, float);
