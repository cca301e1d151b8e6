// A growing buffer that both writers append to.
#ifndef CI_BYTE_BUFFER_H
#define CI_BYTE_BUFFER_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
} ci_byte_buffer;

/// Makes room for `extra` more bytes; 0 when memory is short.
static inline int ci_byte_buffer_reserve(ci_byte_buffer *buffer, size_t extra) {
    if (extra > SIZE_MAX / 4 || buffer->count > SIZE_MAX / 4) return 0;
    size_t needed = buffer->count + extra;
    if (needed <= buffer->capacity) return 1;
    size_t capacity = buffer->capacity < 32768 ? 65536 : buffer->capacity * 2;
    if (capacity < needed) capacity = needed;
    uint8_t *grown = realloc(buffer->bytes, capacity);
    if (!grown) return 0;
    buffer->bytes = grown;
    buffer->capacity = capacity;
    return 1;
}

#endif
