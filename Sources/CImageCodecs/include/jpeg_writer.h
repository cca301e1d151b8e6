#ifndef CI_JPEG_WRITER_H
#define CI_JPEG_WRITER_H

#include "codec_status.h"

typedef struct ci_jpeg_writer ci_jpeg_writer;

typedef struct {
    uint32_t width, height;
    /// 1 (gray) or 3 (RGB).
    int components;
    /// 1 to 100.
    int quality;
    int progressive;
    int optimize_huffman;
    /// Luma sampling factors: 2, 2 is 4:2:0; 2, 1 is 4:2:2; 1, 1 is 4:4:4.
    int horizontal_sampling, vertical_sampling;
} ci_jpeg_options;

ci_jpeg_writer *ci_jpeg_writer_create(void);
void ci_jpeg_writer_destroy(ci_jpeg_writer *writer);

ci_status ci_jpeg_writer_start(ci_jpeg_writer *writer, const ci_jpeg_options *options);
/// Between `start` and the first row; splits the profile over APP2 segments (ICC.1 annex B.4).
ci_status ci_jpeg_writer_write_icc(ci_jpeg_writer *writer, const uint8_t *profile, size_t count);
ci_status ci_jpeg_writer_write_rows(ci_jpeg_writer *writer, const uint8_t *const *rows, uint32_t count);
/// The file's bytes; they belong to the writer.
ci_status ci_jpeg_writer_finish(ci_jpeg_writer *writer, const uint8_t **bytes, size_t *count);

const char *ci_jpeg_writer_message(const ci_jpeg_writer *writer);

#endif
