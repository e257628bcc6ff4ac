// SPDX-License-Identifier: Apache-2.0
// Small kernels that use what CUDA C offers; language_test.cpp says what each must compute.
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

extern "C" __global__ void bits(unsigned* out, const unsigned* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = in[i];
  const unsigned b = in[(i + 1) % n];
  unsigned* o = out + 14 * i;
  o[0] = __popc(a);
  o[1] = __clz(a);
  o[2] = __ffs(a);
  o[3] = __brev(a);
  o[4] = __byte_perm(a, b, 0x5140);
  o[5] = __byte_perm(a, b, b);
  o[6] = __mulhi((int)a, (int)b);
  o[7] = __umulhi(a, b);
  o[8] = __sad(a, b, 3);
  o[9] = __usad(a, b, 5);
  o[10] = __umul24(a, b);
  o[11] = __mul24(a, b);
  o[12] = max((int)a, (int)b) - min(a, b);
  o[13] = abs((int)a);
}

extern "C" __global__ void floats(float* out, const float* in, int n) {
  const int i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const float a = in[i];
  const float b = in[(i + 1) % n];
  float* o = out + 20 * i;
  o[0] = __saturatef(a);
  o[1] = floorf(a);
  o[2] = ceilf(a);
  o[3] = truncf(a);
  o[4] = rintf(a);
  o[5] = roundf(a);
  o[6] = (float)__float2int_rn(a);
  o[7] = (float)__float2int_rd(a);
  o[8] = (float)__float2int_ru(a);
  o[9] = (float)__float2int_rz(a);
  o[10] = (float)__float2uint_rz(a);
  o[11] = copysignf(a, b);
  o[12] = fminf(a, b);
  o[13] = fmaxf(a, b);
  o[14] = fdimf(a, b);
  o[15] = fabs(a);
  o[16] = a > b ? a : -b;
  o[17] = isnan(a) + 2 * isinf(a) + 4 * signbit(a);
  o[18] = fmaf(a, b, 1.0f);
  o[19] = __uint2float_rn(__float_as_uint(a));
}

extern "C" __global__ void transcendental(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const float a = in[i];  // 0.5 to 8
  float* o = out + 10 * i;
  o[0] = sqrtf(a);
  o[1] = rsqrtf(a);
  o[2] = expf(-a);
  o[3] = logf(a);
  o[4] = sinf(a);
  o[5] = cosf(a);
  o[6] = powf(a, 1.5f);
  o[7] = powf(-a, 3.0f);
  o[8] = tanhf(a);
  o[9] = __fdividef(1.0f, a) + 1.0f / a;
}

extern "C" __global__ void vectors(float4* a, int2* b, uchar4* c, short2* d, char* e,
                                   unsigned short* f) {
  const int i = threadIdx.x;
  const float4 v = a[i];
  a[i] = make_float4(2 * v.w, v.z, v.y, v.x + 1);
  const int2 w = b[i];
  b[i] = make_int2(w.y, w.x);
  uchar4 x = c[i];
  x.x += x.w;
  c[i] = x;
  short2 y = d[i];
  y.x -= y.y;
  d[i] = y;
  e[i] = e[i] / 3;
  f[i] = f[i] * 7 >> 1;
}

struct Arguments {
  int count;
  float scale;
  int* out;
};
extern "C" __global__ void by_value(Arguments arguments, short offset, signed char sign) {
  const int i = threadIdx.x;
  if (i < arguments.count) arguments.out[i] = (int)(arguments.scale * i) * sign + offset;
}

// Switches, loops that continue and break, goto.
extern "C" __global__ void flow(int* out, const int* in, int n) {
  int result = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    switch ((unsigned)(in[i] + threadIdx.x) % 7) {
      case 0:
        result += 5;
        break;
      case 1:
        result *= 3;
      case 2:
        result ^= 9;
        break;
      case 3:
        continue;
      case 5:
        result -= i;
        break;
      default:
        ++result;
    }
    if (result > 1000) break;
    do {
      if ((result & 12) == 12) goto next;
      result += 3;
    } while ((result & 1) != 0);
  next:
    result ^= i;
  }
  out[threadIdx.x] = result;
}

// Arrays in local memory, addressed by variables.
extern "C" __global__ void local_array(int* out, const int* in, int which) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = in[i] * (int)threadIdx.x;
  out[threadIdx.x] = values[which & 7] + values[threadIdx.x & 7];
}

// Functions: inlined or not, through pointers to either memory, members, templates.
static __device__ __noinline__ int twice(int a, int* also) {
  *also = a + 1;
  return 2 * a;
}
struct Point {
  float x, y;
  __device__ Point(float a, float b) : x(a), y(b) {}
  __device__ Point operator+(const Point& other) const { return Point(x + other.x, y + other.y); }
};
template <typename T>
__device__ T largest(T a, T b) {
  return a > b ? a : b;
}
extern "C" __global__ void functions(int* out, int n) {
  __shared__ int shared[64];
  const int i = threadIdx.x;
  const int a = twice(i, &shared[i]);
  __syncthreads();
  int b = twice(n, &out[2 * i]) + shared[63 - i];
  const Point sum = Point(i, 2) + Point(3, n);
  b += (int)largest(sum.x, sum.y);
  out[2 * i + 1] = a + largest(b, 20);
}

__constant__ float table[3] = {1.5f, 2.5f, 3.5f};
__device__ float weights[4] = {5, 6, 7, 8};
extern "C" __global__ void memories(float* out) {
  const dim3 block = blockDim;
  const uint3 thread = threadIdx;
  const int i = thread.x + block.x * blockIdx.x;
  out[i] = table[i % 3] * weights[i & 3] + gridDim.x;
}

extern __shared__ float dynamic[];
extern "C" __global__ void partitions(float* data) {
  float* first = dynamic;
  float* second = dynamic + blockDim.x;
  int* third = (int*)&second[blockDim.x];
  const int i = threadIdx.x;
  first[i] = data[i];
  third[i] = i;
  __syncthreads();
  second[i] = first[third[i] ^ 1];
  __syncthreads();
  data[i] = second[blockDim.x - 1 - i];
}

// Products of 64 bits, of which each half is used.
extern "C" __global__ void wide(unsigned* out, const unsigned* in) {
  const unsigned long long product = (unsigned long long)in[threadIdx.x] * in[threadIdx.x + 1];
  out[2 * threadIdx.x] = (unsigned)product;
  out[2 * threadIdx.x + 1] = (unsigned)(product >> 32);
}
