#include "jpeg_reader.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

struct ci_jpeg_reader {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    jmp_buf on_error;
    size_t memory_limit;
    int header_done, started, output_started, hit_end, damage;
    /// Which components have appeared in a scan: a file that ends between the scans of a non-interleaved image is
    /// reported by nothing else.
    unsigned components_seen;
    char message[CI_MESSAGE_SIZE];
};

static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};

static ci_jpeg_reader *reader_of(j_common_ptr decoder) { return (ci_jpeg_reader *)decoder->client_data; }

static void keep_message(j_common_ptr decoder) {
    char text[JMSG_LENGTH_MAX];
    decoder->err->format_message(decoder, text);
    ci_jpeg_reader *reader = reader_of(decoder);
    strncpy(reader->message, text, CI_MESSAGE_SIZE - 1);
    reader->message[CI_MESSAGE_SIZE - 1] = 0;
}

static void fail(j_common_ptr decoder) {
    keep_message(decoder);
    longjmp(reader_of(decoder)->on_error, 1);
}

/// Sorts libjpeg's warnings: those that mean pixels are wrong are damage, the rest (bytes between markers, unknown
/// versions) are what cameras write every day.
static void note_message(j_common_ptr decoder, int level) {
    if (level >= 0) return;
    ci_jpeg_reader *reader = reader_of(decoder);
    int damage = 0;
    switch (decoder->err->msg_code) {
        case JWRN_HIT_MARKER:
            damage = reader->hit_end ? CI_DAMAGE_TRUNCATED : CI_DAMAGE_CORRUPT;
            break;
        case JWRN_HUFF_BAD_CODE:
        case JWRN_ARITH_BAD_CODE:
        case JWRN_MUST_RESYNC:
        case JWRN_BOGUS_PROGRESSION:
            damage = CI_DAMAGE_CORRUPT;
            break;
        default:
            break;
    }
    if (damage && !reader->damage) keep_message(decoder);
    reader->damage |= damage;
}

static void discard_message(j_common_ptr decoder) { (void)decoder; }

static ci_status status_of(ci_jpeg_reader *reader) {
    switch (reader->errors.msg_code) {
        case JERR_INPUT_EOF:
        case JERR_INPUT_EMPTY:
            return CI_ERROR_TRUNCATED;
        case JERR_OUT_OF_MEMORY:
        case JERR_NO_BACKING_STORE:
        case JERR_WIDTH_OVERFLOW:
        case JERR_IMAGE_TOO_BIG:
            return CI_ERROR_MEMORY;
        case JERR_BAD_PRECISION:
        case JERR_SOF_UNSUPPORTED:
        case JERR_ARITH_NOTIMPL:
        case JERR_CONVERSION_NOTIMPL:
        case JERR_COMPONENT_COUNT:
        case JERR_NOT_COMPILED:
        case JERR_CCIR601_NOTIMPL:
        case JERR_FRACT_SAMPLE_NOTIMPL:
            return CI_ERROR_UNSUPPORTED;
        default:
            // What follows a made-up end is not the file's fault.
            return reader->hit_end ? CI_ERROR_TRUNCATED : CI_ERROR_CORRUPT;
    }
}

static void source_init(j_decompress_ptr decoder) { (void)decoder; }

/// Called when all bytes are used up. In the header that is an error; later, an end marker is made up, and libjpeg
/// fills what is missing.
static boolean source_fill(j_decompress_ptr decoder) {
    ci_jpeg_reader *reader = reader_of((j_common_ptr)decoder);
    reader->hit_end = 1;
    if (!reader->header_done) ERREXIT(decoder, JERR_INPUT_EOF);
    decoder->src->next_input_byte = end_of_image;
    decoder->src->bytes_in_buffer = 2;
    return TRUE;
}

static void source_skip(j_decompress_ptr decoder, long count) {
    if (count <= 0) return;
    if ((size_t)count > decoder->src->bytes_in_buffer) {
        (void)source_fill(decoder);
        return;
    }
    decoder->src->next_input_byte += count;
    decoder->src->bytes_in_buffer -= (size_t)count;
}

static void source_term(j_decompress_ptr decoder) { (void)decoder; }

ci_jpeg_reader *ci_jpeg_reader_create(const uint8_t *bytes, size_t count, size_t memory_limit) {
    ci_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->decoder.err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = fail;
    reader->errors.emit_message = note_message;
    reader->errors.output_message = discard_message;
    reader->decoder.client_data = reader;
    reader->memory_limit = memory_limit;
    if (setjmp(reader->on_error)) {
        free(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->decoder);
    reader->decoder.client_data = reader;
    reader->source.init_source = source_init;
    reader->source.fill_input_buffer = source_fill;
    reader->source.skip_input_data = source_skip;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = source_term;
    reader->source.next_input_byte = bytes;
    reader->source.bytes_in_buffer = count;
    reader->decoder.src = &reader->source;
    reader->decoder.mem->max_memory_to_use = memory_limit > (size_t)0x7fffffff ? 0x7fffffff : (long)memory_limit;
    return reader;
}

void ci_jpeg_reader_destroy(ci_jpeg_reader *reader) {
    if (!reader) return;
    if (!setjmp(reader->on_error)) jpeg_destroy_decompress(&reader->decoder);
    free(reader);
}

static void describe(ci_jpeg_reader *reader, ci_jpeg_info *info) {
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    info->width = decoder->image_width;
    info->height = decoder->image_height;
    info->output_width = decoder->output_width;
    info->output_height = decoder->output_height;
    info->inverted_cmyk = decoder->saw_Adobe_marker;
    info->multiple_scans = jpeg_has_multiple_scans(decoder);
    switch (decoder->out_color_space) {
        case JCS_GRAYSCALE: info->layout = CI_JPEG_GRAY; break;
        case JCS_CMYK: info->layout = CI_JPEG_CMYK; break;
        default: info->layout = CI_JPEG_RGB; break;
    }
}

ci_status ci_jpeg_reader_read_header(ci_jpeg_reader *reader, ci_jpeg_info *info) {
    if (reader->header_done) return CI_ERROR_MISUSE;
    if (setjmp(reader->on_error)) return status_of(reader);
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    if (jpeg_read_header(decoder, TRUE) != JPEG_HEADER_OK) return CI_ERROR_CORRUPT;
    reader->header_done = 1;
    switch (decoder->jpeg_color_space) {
        case JCS_GRAYSCALE: decoder->out_color_space = JCS_GRAYSCALE; break;
        case JCS_YCbCr:
        case JCS_RGB: decoder->out_color_space = JCS_RGB; break;
        case JCS_CMYK:
        case JCS_YCCK: decoder->out_color_space = JCS_CMYK; break;
        default:
            strcpy(reader->message, "Unknown color space");
            return CI_ERROR_UNSUPPORTED;
    }
    describe(reader, info);
    return CI_OK;
}

ci_status ci_jpeg_reader_start(ci_jpeg_reader *reader, int eighths, ci_jpeg_info *info) {
    if (!reader->header_done || reader->started) return CI_ERROR_MISUSE;
    if (eighths != 8 && eighths != 4 && eighths != 2) return CI_ERROR_MISUSE;
    if (setjmp(reader->on_error)) return status_of(reader);
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    decoder->scale_num = (unsigned)eighths;
    decoder->scale_denom = 8;
    decoder->buffered_image = jpeg_has_multiple_scans(decoder);
    if (!jpeg_start_decompress(decoder)) return CI_ERROR_CORRUPT;
    reader->started = 1;
    describe(reader, info);
    return CI_OK;
}

static void note_components(ci_jpeg_reader *reader) {
    for (int i = 0; i < reader->decoder.comps_in_scan; i++)
        reader->components_seen |= 1u << (reader->decoder.cur_comp_info[i]->component_index & 31);
}

/// With the end of the file made up, a progressive image may lack whole scans without a warning: some coefficient is
/// then not known to its last bit.
static int lacks_scans(ci_jpeg_reader *reader) {
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    if (reader->components_seen != (1u << decoder->num_components) - 1) return 1;
    if (!reader->hit_end || !decoder->progressive_mode || !decoder->coef_bits) return 0;
    for (int component = 0; component < decoder->num_components; component++)
        for (int k = 0; k < DCTSIZE2; k++)
            if (decoder->coef_bits[component][k] != 0) return 1;
    return 0;
}

ci_status ci_jpeg_reader_consume(ci_jpeg_reader *reader, int steps, int max_scans) {
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    if (!reader->started || !decoder->buffered_image || reader->output_started) return CI_ERROR_MISUSE;
    if (setjmp(reader->on_error)) return status_of(reader);
    note_components(reader);
    for (int i = 0; i < steps; i++) {
        int result = jpeg_consume_input(decoder);
        if (result == JPEG_REACHED_SOS) note_components(reader);
        if (decoder->input_scan_number > max_scans) {
            snprintf(reader->message, CI_MESSAGE_SIZE, "More than %d scans", max_scans);
            return CI_ERROR_CORRUPT;
        }
        if (result == JPEG_REACHED_EOI) {
            if (lacks_scans(reader)) {
                int damage = reader->hit_end ? CI_DAMAGE_TRUNCATED : CI_DAMAGE_CORRUPT;
                if (!reader->damage) strcpy(reader->message, "Scans are missing");
                reader->damage |= damage;
            }
            return CI_OK;
        }
    }
    return CI_MORE;
}

ci_status ci_jpeg_reader_read_rows(ci_jpeg_reader *reader, uint8_t *const *rows, uint32_t count, uint32_t *read) {
    *read = 0;
    if (!reader->started) return CI_ERROR_MISUSE;
    if (setjmp(reader->on_error)) return status_of(reader);
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    if (decoder->buffered_image && !reader->output_started) {
        if (!jpeg_start_output(decoder, decoder->input_scan_number)) return CI_ERROR_CORRUPT;
        reader->output_started = 1;
    }
    while (*read < count && decoder->output_scanline < decoder->output_height) {
        JDIMENSION got = jpeg_read_scanlines(decoder, (JSAMPARRAY)(rows + *read), count - *read);
        if (got == 0) return CI_ERROR_CORRUPT;
        *read += got;
    }
    return CI_OK;
}

int ci_jpeg_reader_damage(const ci_jpeg_reader *reader) { return reader->damage; }
const char *ci_jpeg_reader_message(const ci_jpeg_reader *reader) { return reader->message; }
