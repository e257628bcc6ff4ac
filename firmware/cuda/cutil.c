/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cutil.h"

#include <string.h>

#include "bsp/timer.h"

enum { kTimers = 16 };

struct cut_timer {
  bool used, runs;
  uint64_t begin, sum; /* timer cycles */
  unsigned times;
};
static struct cut_timer timers[kTimers];

static void end(const char* what, const char* reason, const char* file, int line) {
  printf("%s:%d: %s: %s\n", file, line, what, reason);
  exit(EXIT_FAILURE);
}

void cut_check(cudaError_t error, const char* what, const char* file, int line) {
  if (error != cudaSuccess) end(what, cudaGetErrorString(error), file, line);
}

void cut_check_condition(bool holds, const char* what, const char* file, int line) {
  if (!holds) end(what, "failed", file, line);
}

void cut_check_device(const char* file, int line) {
  int count = 0;
  cut_check(cudaGetDeviceCount(&count), "device", file, line);
}

static struct cut_timer* timer_of(unsigned number) {
  return number < kTimers && timers[number].used ? &timers[number] : NULL;
}

CUTBoolean cutCreateTimer(unsigned* timer) {
  for (unsigned i = 0; i < kTimers; ++i) {
    if (timers[i].used) continue;
    timers[i] = (struct cut_timer){.used = true};
    *timer = i;
    return CUTTrue;
  }
  return CUTFalse;
}

CUTBoolean cutDeleteTimer(unsigned number) {
  struct cut_timer* timer = timer_of(number);
  if (timer == NULL) return CUTFalse;
  timer->used = false;
  return CUTTrue;
}

CUTBoolean cutStartTimer(unsigned number) {
  struct cut_timer* timer = timer_of(number);
  if (timer == NULL) return CUTFalse;
  timer->begin = timer_now();
  timer->runs = true;
  return CUTTrue;
}

CUTBoolean cutStopTimer(unsigned number) {
  struct cut_timer* timer = timer_of(number);
  if (timer == NULL) return CUTFalse;
  if (timer->runs) {
    timer->sum += timer_now() - timer->begin;
    ++timer->times;
  }
  timer->runs = false;
  return CUTTrue;
}

CUTBoolean cutResetTimer(unsigned number) {
  struct cut_timer* timer = timer_of(number);
  if (timer == NULL) return CUTFalse;
  timer->sum = 0;
  timer->times = 0;
  timer->begin = timer_now();
  return CUTTrue;
}

/* A timer that runs counts what has passed. */
float cutGetTimerValue(unsigned number) {
  const struct cut_timer* timer = timer_of(number);
  if (timer == NULL) return -1.0f;
  const uint64_t cycles = timer->sum + (timer->runs ? timer_now() - timer->begin : 0);
  return (float)cycles / ((float)TIMER_HZ / 1000.0f);
}

float cutGetAverageTimerValue(unsigned number) {
  const struct cut_timer* timer = timer_of(number);
  if (timer == NULL) return -1.0f;
  const unsigned times = timer->times + (timer->runs ? 1u : 0u);
  return times == 0 ? 0.0f : cutGetTimerValue(number) / (float)times;
}

CUTBoolean cutComparei(const int* reference, const int* data, unsigned count) {
  return memcmp(reference, data, count * sizeof *data) == 0 ? CUTTrue : CUTFalse;
}

CUTBoolean cutComparef(const float* reference, const float* data, unsigned count) {
  return cutComparefe(reference, data, count, 0.0f);
}

CUTBoolean cutComparefe(const float* reference, const float* data, unsigned count, float epsilon) {
  for (unsigned i = 0; i < count; ++i) {
    const float difference = reference[i] - data[i];
    if (!(difference <= epsilon && -difference <= epsilon)) return CUTFalse;
  }
  return CUTTrue;
}

CUTBoolean cutCompareL2fe(const float* reference, const float* data, unsigned count,
                          float epsilon) {
  float error = 0.0f;
  float norm = 0.0f;
  for (unsigned i = 0; i < count; ++i) {
    const float difference = reference[i] - data[i];
    error += difference * difference;
    norm += reference[i] * reference[i];
  }
  return error <= epsilon * epsilon * norm ? CUTTrue : CUTFalse;
}
