// SPDX-License-Identifier: Apache-2.0
// Loops, switches and structures of the kind that optimisers of today turn into something else:
// closed forms, memset, tables, byte swaps.  Tested by everyday_test.cpp.
__constant__ int coefficients[4] = {1, 2, 3, 4};

struct Record {
  int a[5];
  float f;
};
struct Point {
  int x, y, z;
};

__noinline__ __device__ int weighted(int count, int weight) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += weight * i;
  return sum;
}
__noinline__ __device__ Point moved(Point p, int k) {
  p.x += k;
  p.y *= k;
  p.z -= weighted(k, p.x);
  return p;
}
__noinline__ __device__ void put(int* out, int value) { *out = value; }

extern "C" {

__global__ void calls(int* out, int n) {
  const int t = threadIdx.x;
  Point p{t, t + 1, t + 2};
  p = moved(p, n);
  put(&out[t], p.x + p.y + p.z + weighted(t, n));
}

__global__ void squares(int* out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += i * i;
  out[threadIdx.x] = sum;
}

__global__ void every_third(unsigned* out, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += 3) sum += i;
  out[threadIdx.x] = sum;
}

__global__ void zeros(int* out, int k) {
  __shared__ int tile[64];
  int local[16];
  for (int i = 0; i < 64; ++i) tile[i] = 0;
  for (int i = 0; i < 16; ++i) local[i] = 0;
  local[(k + threadIdx.x) & 15] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + local[threadIdx.x & 15];
}

__global__ void choose(int* out, int k) {
  int v;
  switch (k + threadIdx.x) {
    case 0: v = 17; break;
    case 1: v = 5; break;
    case 2: v = 99; break;
    case 3: v = -4; break;
    case 4: v = 1000; break;
    default: v = 0;
  }
  out[threadIdx.x] = v;
}

__global__ void branches(int* out, int k) {
  int v = threadIdx.x;
  switch ((k + v) & 15) {
    case 0: v *= 17; break;
    case 1: v += 5; break;
    case 2: v ^= 99; out[64 + v] = 1; break;
    case 3: v = v / 7; break;
    case 4: v = v % 5; break;
    case 9: v = 7; break;
    default: v = 0;
  }
  out[threadIdx.x] = v;
}

__global__ void records(Record* out, Record given) {
  Record mine = given;
  mine.a[threadIdx.x % 5] += 3;
  out[threadIdx.x] = mine;
}

__global__ void table(int* out, int k) {
  const int digits[] = {3, 1, 4, 1, 5, 9, 2, 6};
  out[threadIdx.x] = digits[(threadIdx.x + k) & 7];
}

__global__ void gcd(unsigned* out, unsigned a, unsigned b) {
  a += threadIdx.x;
  unsigned ones = 0;
  while (b) {
    const unsigned t = a % b;
    a = b;
    b = t;
  }
  for (unsigned n = a * 1234567; n; n >>= 1) ones += n & 1;
  out[threadIdx.x] = a << 8 | ones;
}

__global__ void narrow(unsigned char* out, const unsigned char* in, short* halves, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    out[i] = (unsigned char)((in[i] * 77 + in[i + 1] * 150 + 29) >> 8);
    halves[i] = (short)(halves[i] + (signed char)in[i]);
  }
}

__global__ void words(unsigned* out, unsigned v, unsigned n) {
  v += threadIdx.x * 0x01020304;
  const unsigned sum = v + n;
  unsigned* mine = out + 4 * threadIdx.x;
  mine[0] = (v << 7) | (v >> 25);
  mine[1] = (v << 24) | ((v & 0xff00) << 8) | ((v >> 8) & 0xff00) | (v >> 24);
  mine[2] = sum < v ? 0xffffffffu : sum;
  mine[3] = ((int)v + (int)n) / 2 + (n > 3 && (v & 1));
}

__global__ void series(float* out, float x, int n) {
  float power = 1;
  unsigned factorial = 1;
  int value = 0;
  for (int i = 0; i < n; ++i) power *= x;
  for (int i = 2; i <= n; ++i) factorial *= i;
  for (int i = 0; i < 4; ++i) value = value * (n + threadIdx.x) + coefficients[i];
  out[threadIdx.x] = power + (float)factorial + (float)value;
}

// Loops with two ways out, both of which want to know how far they came.
__global__ void agreement(unsigned* out, int most) {
  unsigned a = threadIdx.x;
  unsigned b = 3;
  int i = 0;
  while (i < most && ((a ^ b) & 4) == 0) {
    a = a * 5 + 1;
    b = b * 3 + 7;
    ++i;
  }
  out[threadIdx.x] = i;
}

__global__ void escape(unsigned* out, int most) {
  const float c = 0.0625f * threadIdx.x - 1.5f;
  float x = 0;
  int i;
  for (i = 0; i < most; ++i) {
    x = x * x + c;
    if (x > 2.0f) break;
  }
  out[threadIdx.x] = i;
}

// Queens on a board of n * n, by going back: how many ways there are with the first where the
// thread says.  What is computed early for an arm of a branch is computed by all threads.
__global__ void queens(unsigned* out, int n) {
  int column[8];
  column[0] = threadIdx.x % n;
  unsigned found = 0;
  int row = 1;
  int next = 0;
  do {
    bool placed = false;
    for (; next < n; ++next) {
      bool free = true;
      for (int i = 0; i < row && free; ++i)
        free = column[i] != next && abs(column[i] - next) != row - i;
      if (free) {
        placed = true;
        break;
      }
    }
    if (placed) {
      column[row] = next;
      if (row + 1 == n) {
        ++found;
        next = column[row] + 1;
      } else {
        ++row;
        next = 0;
      }
    } else {
      --row;
      next = column[row] + 1;
    }
  } while (row >= 1);
  out[threadIdx.x] = found;
}

}  // extern "C"
