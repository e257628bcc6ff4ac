/* SPDX-License-Identifier: Apache-2.0 */
/* Reads cubins in text form, CUDA 1 and 2's: blocks in braces of "key = value" pairs and of
 * numbers.  What the device does not depend on (samplers, segment names) is skipped. */
#include <stdlib.h>
#include <string.h>

#include "driver/module.h"

enum { kMaxBankBytes = 0x10000, kMaxVariableBytes = 0x10000000, kMaxCodeWords = 0x10000 };

struct reader {
  const char *next, *end; /* what is still to be read */
  const char* token;      /* the current token; length 0 at the end */
  size_t length;
  uint32_t line;
  enum gpgpu_error error;
};

static const char* image_error = "";
static uint32_t image_error_line;

const char* gpgpu_image_error(uint32_t* line) {
  if (line != NULL) *line = image_error_line;
  return image_error;
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_mark(char c) { return c == '{' || c == '}' || c == '='; }

static void advance(struct reader* r) {
  while (r->next < r->end && is_blank(*r->next)) {
    if (*r->next == '\n') ++r->line;
    ++r->next;
  }
  r->token = r->next;
  if (r->next < r->end && is_mark(*r->next)) {
    ++r->next;
  } else {
    while (r->next < r->end && *r->next != '\0' && !is_blank(*r->next) && !is_mark(*r->next))
      ++r->next;
  }
  r->length = (size_t)(r->next - r->token);
}

/* The first problem counts; after it every function returns at once. */
static void fail(struct reader* r, const char* why) {
  if (r->error != GPGPU_OK) return;
  r->error = GPGPU_BAD_IMAGE;
  image_error = why;
  image_error_line = r->line;
}

static bool ok(const struct reader* r) { return r->error == GPGPU_OK; }

static bool is(const struct reader* r, const char* word) {
  return r->length == strlen(word) && memcmp(r->token, word, r->length) == 0;
}

static void expect(struct reader* r, const char* mark, const char* why) {
  if (!is(r, mark)) fail(r, why);
  if (ok(r)) advance(r);
}

static bool at_word(const struct reader* r) { return r->length > 0 && !is_mark(r->token[0]); }

static uint32_t number(struct reader* r, uint32_t most) {
  const bool hexadecimal = r->length > 2 && r->token[0] == '0' && (r->token[1] | 0x20) == 'x';
  uint64_t value = 0;
  if (!at_word(r)) fail(r, "a number is expected");
  for (size_t i = hexadecimal ? 2 : 0; ok(r) && i < r->length; ++i) {
    const char c = r->token[i], lower = (char)(c | 0x20);
    const unsigned digit = c >= '0' && c <= '9'           ? (unsigned)(c - '0')
                           : lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a' + 10)
                                                          : 16;
    if (digit >= (hexadecimal ? 16u : 10u)) fail(r, "not a number");
    value = value * (hexadecimal ? 16 : 10) + digit;
    if (value > most) fail(r, "this number is too large");
  }
  if (!ok(r)) return 0;
  advance(r);
  return (uint32_t)value;
}

static void name(struct reader* r, char* to) {
  if (!at_word(r)) fail(r, "a name is expected");
  if (r->length >= kMaxNameBytes) fail(r, "this name is too long (63 characters)");
  if (!ok(r)) return;
  memcpy(to, r->token, r->length);
  to[r->length] = '\0';
  advance(r);
}

static void skip_block(struct reader* r) {
  unsigned depth = 0;
  do {
    if (r->length == 0) fail(r, "a block has no end: \"}\" is missing");
    if (is(r, "{")) ++depth;
    if (is(r, "}")) --depth;
    if (ok(r)) advance(r);
  } while (ok(r) && depth > 0);
}

/* { number ... }: *words is allocated and *count numbers long. */
static void words(struct reader* r, uint32_t** list, uint32_t* count, uint32_t most) {
  uint32_t room = 0;
  if (*list != NULL) fail(r, "this block was given already");
  expect(r, "{", "\"{\" is expected before the numbers");
  *count = 0;
  while (ok(r) && !is(r, "}")) {
    if (*count == room) {
      room = room == 0 ? 64 : 2 * room;
      uint32_t* larger = realloc(*list, room * sizeof **list);
      if (larger == NULL) {
        r->error = GPGPU_OUT_OF_MEMORY;
        return;
      }
      *list = larger;
    }
    if (*count == most) fail(r, "too many numbers");
    (*list)[(*count)++] = number(r, UINT32_MAX);
  }
  expect(r, "}", "\"}\" is expected after the numbers");
}

static void* allocate(struct reader* r, size_t bytes) {
  void* memory = ok(r) ? calloc(1, bytes) : NULL;
  if (ok(r) && memory == NULL) r->error = GPGPU_OUT_OF_MEMORY;
  return memory;
}

/* The keys that consts, const and reloc blocks share. */
struct segment {
  char name[kMaxNameBytes];
  uint32_t bank, offset, bytes, count;
  uint32_t* words;
};

static void segment(struct reader* r, struct segment* s) {
  memset(s, 0, sizeof *s);
  expect(r, "{", "\"{\" is expected");
  while (ok(r) && !is(r, "}")) {
    char key[kMaxNameBytes];
    name(r, key);
    if (strcmp(key, "mem") == 0) {
      words(r, &s->words, &s->count, kMaxBankBytes / 4);
      continue;
    }
    expect(r, "=", "\"=\" is expected after the key");
    if (strcmp(key, "name") == 0) {
      name(r, s->name);
    } else if (strcmp(key, "segnum") == 0) {
      s->bank = number(r, FLEXGRIP_CONSTANT_BANKS - 1);
    } else if (strcmp(key, "offset") == 0) {
      s->offset = number(r, kMaxBankBytes - 4);
    } else if (strcmp(key, "bytes") == 0) {
      s->bytes = number(r, kMaxVariableBytes);
    } else {
      name(r, key); /* segname, align */
    }
  }
  expect(r, "}", "\"}\" is expected");
  if (s->offset % 4 != 0) fail(r, "the offset is no multiple of 4");
  if (s->bytes == 0) s->bytes = 4 * s->count;
  if (s->words != NULL && s->count != (s->bytes + 3) / 4) fail(r, "bytes and mem do not agree");
}

static void constants(struct reader* r, struct gpgpu_constants** list) {
  struct segment s;
  segment(r, &s);
  if (ok(r) && s.offset + s.bytes > kMaxBankBytes) fail(r, "a constant bank has 65536 bytes");
  if (ok(r) && s.words == NULL) s.words = allocate(r, (s.bytes + 3) & ~3u);
  struct gpgpu_constants* c = allocate(r, sizeof *c);
  if (c == NULL) {
    free(s.words);
    return;
  }
  memcpy(c->name, s.name, sizeof c->name);
  c->bank = s.bank;
  c->offset = s.offset;
  c->bytes = s.bytes;
  c->words = s.words;
  c->next = *list;
  *list = c;
}

static void variable(struct reader* r, struct gpgpu_module* module) {
  struct segment s;
  segment(r, &s);
  if (ok(r) && s.bytes == 0) fail(r, "a variable of 0 bytes");
  struct gpgpu_variable* v = allocate(r, sizeof *v);
  if (v == NULL) {
    free(s.words);
    return;
  }
  memcpy(v->name, s.name, sizeof v->name);
  v->bank = s.bank;
  v->offset = s.offset;
  v->bytes = s.bytes;
  v->words = s.words;
  v->address = GPGPU_NULL;
  v->next = module->variables;
  module->variables = v;
}

static void function(struct reader* r, struct gpgpu_module* module) {
  struct gpgpu_function* f = allocate(r, sizeof *f);
  if (f == NULL) return;
  f->module = module;
  f->next = module->functions;
  module->functions = f;
  expect(r, "{", "\"{\" is expected after code");
  while (ok(r) && !is(r, "}")) {
    char key[kMaxNameBytes];
    name(r, key);
    if (strcmp(key, "bincode") == 0) {
      words(r, &f->code, &f->code_words, kMaxCodeWords);
      continue;
    }
    if (strcmp(key, "const") == 0) {
      constants(r, &f->constants);
      continue;
    }
    if (is(r, "{")) {
      skip_block(r);
      continue;
    }
    expect(r, "=", "\"=\" is expected after the key");
    if (strcmp(key, "name") == 0) {
      name(r, f->name);
    } else if (strcmp(key, "reg") == 0) {
      f->registers = number(r, 128);
    } else if (strcmp(key, "smem") == 0) {
      f->shared_bytes = number(r, kMaxBankBytes);
    } else if (strcmp(key, "lmem") == 0) {
      f->local_bytes = number(r, 0x1000000);
    } else if (strcmp(key, "param") == 0) {
      f->parameter_bytes = number(r, 4 * FLEXGRIP_MAX_PARAMETERS);
      f->has_parameter_bytes = true;
    } else {
      name(r, key); /* bar */
    }
  }
  expect(r, "}", "\"}\" is expected at the end of code");
  if (ok(r) && f->name[0] == '\0') fail(r, "a kernel without a name");
  if (ok(r) && f->code_words == 0) fail(r, "a kernel without code");
  if (f->registers == 0) f->registers = 1;
}

enum gpgpu_error cubin_read(const char* image, size_t bytes, struct gpgpu_module* module) {
  struct reader r = {.next = image, .end = image + bytes, .line = 1, .error = GPGPU_OK};
  memset(module, 0, sizeof *module);
  advance(&r);
  if (r.length == 0) fail(&r, "nothing in it");
  while (ok(&r) && r.length > 0) {
    char key[kMaxNameBytes];
    name(&r, key);
    if (strcmp(key, "code") == 0) {
      function(&r, module);
    } else if (strcmp(key, "consts") == 0) {
      constants(&r, &module->constants);
    } else if (strcmp(key, "reloc") == 0) {
      variable(&r, module);
    } else if (strcmp(key, "architecture") == 0) {
      expect(&r, "{", "\"{\" is expected after architecture");
      if (ok(&r) && (r.length < 4 || memcmp(r.token, "sm_1", 4) != 0))
        fail(&r, "code for another architecture; compile for sm_10");
      while (ok(&r) && at_word(&r)) advance(&r);
      expect(&r, "}", "\"}\" is expected");
    } else if (is(&r, "{")) {
      skip_block(&r); /* abiversion, modname, sampler */
    } else {
      fail(&r, "this is no part of a cubin in text form");
    }
  }
  if (ok(&r) && module->functions == NULL) fail(&r, "no kernel in it");
  return r.error;
}

static void discard_constants(struct gpgpu_constants* list) {
  while (list != NULL) {
    struct gpgpu_constants* next = list->next;
    free(list->words);
    free(list);
    list = next;
  }
}

void module_discard(struct gpgpu_module* module) {
  while (module->functions != NULL) {
    struct gpgpu_function* f = module->functions;
    module->functions = f->next;
    discard_constants(f->constants);
    free(f->code);
    free(f);
  }
  discard_constants(module->constants);
  module->constants = NULL;
  while (module->variables != NULL) {
    struct gpgpu_variable* v = module->variables;
    module->variables = v->next;
    free(v->words);
    free(v);
  }
}
