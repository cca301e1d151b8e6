#ifndef CI_PNG_READER_H
#define CI_PNG_READER_H

#include "codec_status.h"

typedef struct ci_png_reader ci_png_reader;

typedef struct {
    uint32_t width, height;
    /// 1 (gray), 3 (RGB) or 4 (RGBA) samples of 8 bits a pixel, as rows are delivered.
    int channels;
    /// 1, or 7 for an interlaced file: rows must then be read that many times into the same buffers.
    int passes;
    /// The decompressed iCCP profile, NULL without one. It belongs to the reader.
    const uint8_t *icc;
    uint32_t icc_count;
} ci_png_info;

/// `bytes` must stay valid until the reader is destroyed. `chunk_limit` bounds the memory of one ancillary chunk.
ci_png_reader *ci_png_reader_create(const uint8_t *bytes, size_t count, size_t chunk_limit);
void ci_png_reader_destroy(ci_png_reader *reader);

/// Reads everything before the pixels and sets up the conversion to 8 bits: palettes and tRNS are expanded, 16 bits
/// are rounded. No side may be above `max_side`.
ci_status ci_png_reader_start(ci_png_reader *reader, uint32_t max_side, ci_png_info *info);
ci_status ci_png_reader_read_rows(ci_png_reader *reader, uint8_t *const *rows, uint32_t count);
/// Reads what follows the pixels, up to IEND, so that checksums are verified.
ci_status ci_png_reader_finish(ci_png_reader *reader);

const char *ci_png_reader_message(const ci_png_reader *reader);

#endif
