/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/speed_work.h"

static uint32_t random_state;
static uint32_t next_random(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 8;
}

/* ---- records ------------------------------------------------------------------------------ */
enum kind { kFirst, kSecond, kThird };
struct record {
  struct record* next;
  enum kind kind;
  int32_t number;
  char text[32];
};

static int compare_text(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a - *b;
}
static void copy_text(char* to, const char* from) {
  while ((*to++ = *from++) != '\0') {
  }
}

static __attribute__((noinline)) enum kind classify(const struct record* record, int32_t limit) {
  if (record->number > limit) return kThird;
  return compare_text(record->text, "some text of a record") < 0 ? kFirst : kSecond;
}
static __attribute__((noinline)) void update(struct record* record, int32_t value) {
  record->next->number = record->number + value;
  record->next->kind = classify(record, value);
  if (record->next->kind == kSecond) {
    *record->next = *record;
    record->next->text[0] = (char)('a' + (value & 7));
  } else {
    record->number -= value / 3;
  }
}

uint32_t work_records(uint32_t rounds) {
  static struct record a, b;
  static int32_t table[50][50];
  uint32_t checksum = 0;
  for (uint32_t i = 0; i < 50 * 50; ++i) table[i / 50][i % 50] = 0;
  a.kind = b.kind = kFirst;
  b.number = 0;
  copy_text(a.text, "some text of a record");
  copy_text(b.text, "some text of a recorx");
  a.next = &b;
  a.number = 10;
  for (uint32_t i = 0; i < rounds; ++i) {
    const int32_t row = (int32_t)(i % 50);
    update(&a, (int32_t)(i & 63));
    a.next = &b;
    b.next = &a;
    table[row][(row * 7) % 50] += b.number;
    table[(row + 5) % 50][row] = table[row][row] + a.number % 13;
    if (compare_text(a.text, b.text) == 0) copy_text(a.text, "some text of a record");
    a.number = (a.number * 5 + (int32_t)i) / 7;
    checksum = checksum * 31 + (uint32_t)a.number + (uint32_t)b.kind + (uint32_t)b.text[0] +
               (uint32_t)table[row][row];
  }
  return checksum;
}

/* ---- matrix ------------------------------------------------------------------------------- */
uint32_t work_matrix(uint32_t rounds) {
  enum { kSize = 32 };
  static uint32_t a[kSize][kSize], b[kSize][kSize], c[kSize][kSize];
  random_state = 1;
  for (uint32_t i = 0; i < kSize * kSize; ++i) {
    a[i / kSize][i % kSize] = next_random();
    b[i / kSize][i % kSize] = next_random();
  }
  for (uint32_t round = 0; round < rounds; ++round) {
    for (uint32_t row = 0; row < kSize; ++row) {
      for (uint32_t column = 0; column < kSize; ++column) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < kSize; ++k) sum += a[row][k] * b[k][column];
        c[row][column] = sum;
      }
    }
    a[round % kSize][round * 3 % kSize] ^= c[round * 5 % kSize][round * 7 % kSize];
  }
  uint32_t checksum = 0;
  for (uint32_t i = 0; i < kSize * kSize; ++i) checksum = checksum * 31 + c[i / kSize][i % kSize];
  return checksum;
}

/* ---- sort --------------------------------------------------------------------------------- */
static void sift(uint32_t* heap, uint32_t root, uint32_t count) {
  for (;;) {
    uint32_t child = 2 * root + 1;
    if (child >= count) return;
    if (child + 1 < count && heap[child + 1] > heap[child]) ++child;
    if (heap[root] >= heap[child]) return;
    const uint32_t larger = heap[child];
    heap[child] = heap[root];
    heap[root] = larger;
    root = child;
  }
}

uint32_t work_sort(uint32_t rounds) {
  enum { kCount = 1024 };
  static uint32_t heap[kCount];
  uint32_t checksum = 0;
  random_state = 2;
  for (uint32_t round = 0; round < rounds; ++round) {
    for (uint32_t i = 0; i < kCount; ++i) heap[i] = next_random();
    for (uint32_t i = kCount / 2; i-- > 0;) sift(heap, i, kCount);
    for (uint32_t last = kCount - 1; last > 0; --last) {
      const uint32_t largest = heap[0];
      heap[0] = heap[last];
      heap[last] = largest;
      sift(heap, 0, last);
    }
    for (uint32_t i = 1; i < kCount; ++i) {
      if (heap[i - 1] > heap[i]) return 0;
      checksum += heap[i] ^ (checksum << 1);
    }
  }
  return checksum;
}

/* ---- list --------------------------------------------------------------------------------- */
struct node {
  struct node* next;
  uint32_t value;
};

static struct node* merge(struct node* a, struct node* b) {
  struct node head, *last = &head;
  while (a != 0 && b != 0) {
    struct node** smaller = a->value <= b->value ? &a : &b;
    last->next = *smaller;
    last = *smaller;
    *smaller = (*smaller)->next;
  }
  last->next = a != 0 ? a : b;
  return head.next;
}

static struct node* sort_list(struct node* list) {
  if (list == 0 || list->next == 0) return list;
  struct node *slow = list, *fast = list->next;
  while (fast != 0 && fast->next != 0) {
    slow = slow->next;
    fast = fast->next->next;
  }
  struct node* second = slow->next;
  slow->next = 0;
  return merge(sort_list(list), sort_list(second));
}

uint32_t work_list(uint32_t rounds) {
  enum { kNodes = 256 };
  static struct node nodes[kNodes];
  uint32_t checksum = 0;
  random_state = 3;
  for (uint32_t round = 0; round < rounds; ++round) {
    struct node* list = 0;
    for (uint32_t i = 0; i < kNodes; ++i) {
      nodes[i].value = next_random();
      nodes[i].next = list;
      list = &nodes[i];
    }
    struct node* reversed = 0;
    while (list != 0) {
      struct node* next = list->next;
      list->next = reversed;
      reversed = list;
      list = next;
    }
    for (struct node* n = sort_list(reversed); n != 0; n = n->next)
      checksum = (checksum << 5 | checksum >> 27) ^ n->value;
  }
  return checksum;
}

/* ---- bits --------------------------------------------------------------------------------- */
static uint32_t crc_by_bits(const uint8_t* data, uint32_t count, uint32_t crc) {
  for (uint32_t i = 0; i < count; ++i) {
    crc ^= data[i];
    for (unsigned bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320u : 0);
  }
  return crc;
}

/* Counts numbers, words and others in text, the way a scanner does. */
static uint32_t scan(const uint8_t* text, uint32_t count) {
  enum { kBlank, kNumber, kWord, kOther } state = kBlank;
  uint32_t found[4] = {0, 0, 0, 0};
  for (uint32_t i = 0; i < count; ++i) {
    const unsigned c = text[i] & 0x7F;
    switch (state) {
      case kBlank:
        state = c >= '0' && c <= '9' ? kNumber : c >= 'a' ? kWord : c == ' ' ? kBlank : kOther;
        ++found[state];
        break;
      case kNumber:
        if (c < '0' || c > '9') state = c == ' ' ? kBlank : kOther;
        break;
      case kWord:
        if (c < 'a' && (c < '0' || c > '9')) state = kBlank;
        break;
      case kOther:
        if (c <= '/') state = kBlank;
        break;
    }
  }
  return found[0] + (found[1] << 8) + (found[2] << 16) + (found[3] << 24);
}

uint32_t work_bits(uint32_t rounds) {
  enum { kBytes = 512 };
  static uint8_t data[kBytes];
  static uint32_t table[256];
  for (uint32_t i = 0; i < 256; ++i) {
    const uint8_t byte = (uint8_t)i;
    table[i] = crc_by_bits(&byte, 1, 0);
  }
  uint32_t checksum = 0;
  random_state = 4;
  for (uint32_t round = 0; round < rounds; ++round) {
    uint32_t crc = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < kBytes; ++i) {
      data[i] = (uint8_t)next_random();
      crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xFF];
    }
    if (crc != crc_by_bits(data, kBytes, 0xFFFFFFFFu)) return 0;
    checksum = checksum * 3 + crc + scan(data, kBytes);
  }
  return checksum;
}

/* ---- sieve -------------------------------------------------------------------------------- */
uint32_t work_sieve(uint32_t rounds) {
  enum { kBelow = 16384 };
  static uint8_t composite[kBelow];
  uint32_t checksum = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    uint32_t primes = 0, last = 0;
    for (uint32_t i = 0; i < kBelow; ++i) composite[i] = 0;
    for (uint32_t i = 2; i < kBelow; ++i) {
      if (composite[i] != 0) continue;
      ++primes;
      last = i;
      for (uint32_t multiple = 2 * i; multiple < kBelow; multiple += i) composite[multiple] = 1;
    }
    checksum = checksum * 31 + primes + (last << 12) + round;
  }
  return checksum;
}
