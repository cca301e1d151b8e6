#ifndef CI_JPEG_READER_H
#define CI_JPEG_READER_H

#include "codec_status.h"

typedef struct ci_jpeg_reader ci_jpeg_reader;

/// How the decoded samples are laid out; fixed by the file.
typedef enum { CI_JPEG_GRAY = 1, CI_JPEG_RGB = 3, CI_JPEG_CMYK = 4 } ci_jpeg_layout;

/// Damage met while decoding, as bits.
enum { CI_DAMAGE_TRUNCATED = 1, CI_DAMAGE_CORRUPT = 2 };

typedef struct {
    uint32_t width, height;
    /// Size of what `ci_jpeg_reader_read_rows` delivers; known after `start`.
    uint32_t output_width, output_height;
    ci_jpeg_layout layout;
    /// Adobe writes CMYK samples inverted: 255 is no ink.
    int inverted_cmyk;
    /// More than one scan: the coefficients of the whole image are kept until the last has been read.
    int multiple_scans;
} ci_jpeg_info;

/// `bytes` must stay valid until the reader is destroyed. `memory_limit` bounds what libjpeg may allocate. NULL when
/// memory is short.
ci_jpeg_reader *ci_jpeg_reader_create(const uint8_t *bytes, size_t count, size_t memory_limit);
void ci_jpeg_reader_destroy(ci_jpeg_reader *reader);

ci_status ci_jpeg_reader_read_header(ci_jpeg_reader *reader, ci_jpeg_info *info);

/// Begins decoding at `eighths`/8 of the size (8, 4 or 2).
ci_status ci_jpeg_reader_start(ci_jpeg_reader *reader, int eighths, ci_jpeg_info *info);

/// Only for files of several scans, after `start`: reads about `steps` rows of blocks. CI_MORE until all scans are in.
/// More than `max_scans` scans are corrupt.
ci_status ci_jpeg_reader_consume(ci_jpeg_reader *reader, int steps, int max_scans);

/// Decodes up to `count` rows into `rows`; how many is stored in `*read`, 0 after the last.
ci_status ci_jpeg_reader_read_rows(ci_jpeg_reader *reader, uint8_t *const *rows, uint32_t count, uint32_t *read);

/// CI_DAMAGE_ bits of everything decoded so far.
int ci_jpeg_reader_damage(const ci_jpeg_reader *reader);
/// The last error or damage in libjpeg's words.
const char *ci_jpeg_reader_message(const ci_jpeg_reader *reader);

#endif
