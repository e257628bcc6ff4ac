/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, which are all one, and events, which are times of the board's timer. */
#include <stdlib.h>

#include "bsp/timer.h"
#include "cuda/cuda_context.h"

struct cuda_stream {
  int unused;
};
struct cuda_event {
  uint64_t time; /* timer cycles */
  bool recorded;
};

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  if (stream == NULL) return cuda_result(cudaErrorInvalidValue);
  *stream = malloc(sizeof **stream);
  return *stream == NULL ? cuda_result(cudaErrorMemoryAllocation) : cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream == NULL) return cuda_result(cudaErrorInvalidResourceHandle);
  const cudaError_t error = cuda_settle();
  free(stream);
  return error;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  (void)stream;
  return cuda_settle();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  if (event == NULL) return cuda_result(cudaErrorInvalidValue);
  *event = calloc(1, sizeof **event);
  return *event == NULL ? cuda_result(cudaErrorMemoryAllocation) : cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
  if ((flags & ~known) != 0) return cuda_result(cudaErrorInvalidValue);
  return cudaEventCreate(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == NULL) return cuda_result(cudaErrorInvalidResourceHandle);
  free(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  (void)stream;
  if (event == NULL) return cuda_result(cudaErrorInvalidResourceHandle);
  const cudaError_t error = cuda_settle();
  event->time = timer_now();
  event->recorded = true;
  return error;
}
/* An event has happened when it has been recorded. */
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return event == NULL ? cuda_result(cudaErrorInvalidResourceHandle) : cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return cudaEventQuery(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == NULL) return cuda_result(cudaErrorInvalidValue);
  if (start == NULL || end == NULL || !start->recorded || !end->recorded)
    return cuda_result(cudaErrorInvalidResourceHandle);
  const int64_t cycles = (int64_t)(end->time - start->time);
  *milliseconds = (float)cycles / ((float)TIMER_HZ / 1000.0f);
  return cudaSuccess;
}
