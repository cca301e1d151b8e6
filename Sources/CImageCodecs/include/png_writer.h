#ifndef CI_PNG_WRITER_H
#define CI_PNG_WRITER_H

#include "codec_status.h"

typedef struct ci_png_writer ci_png_writer;

typedef enum { CI_PNG_GRAY = 0, CI_PNG_RGB = 2, CI_PNG_PALETTE = 3, CI_PNG_RGBA = 6 } ci_png_color;

/// Row filters as bits, as in RFC 2083 section 6; the encoder picks among those set.
enum { CI_PNG_NONE = 1, CI_PNG_SUB = 2, CI_PNG_UP = 4, CI_PNG_AVERAGE = 8, CI_PNG_PAETH = 16 };

typedef struct {
    uint32_t width, height;
    ci_png_color color;
    /// 8, or 1, 2, 4 for a palette; rows are then packed, leftmost pixel in the high bits.
    int bit_depth;
    /// zlib's 0 to 9.
    int level;
    int filters;
    /// `palette_count` entries of red, green, blue; alpha in `transparency`, which may be shorter.
    const uint8_t *palette;
    int palette_count;
    const uint8_t *transparency;
    int transparency_count;
    const uint8_t *icc;
    size_t icc_count;
} ci_png_options;

ci_png_writer *ci_png_writer_create(void);
void ci_png_writer_destroy(ci_png_writer *writer);

ci_status ci_png_writer_start(ci_png_writer *writer, const ci_png_options *options);
ci_status ci_png_writer_write_rows(ci_png_writer *writer, const uint8_t *const *rows, uint32_t count);
/// The file's bytes; they belong to the writer.
ci_status ci_png_writer_finish(ci_png_writer *writer, const uint8_t **bytes, size_t *count);

const char *ci_png_writer_message(const ci_png_writer *writer);

#endif
