#include "jpeg_writer.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

#include "byte_buffer.h"

struct ci_jpeg_writer {
    struct jpeg_compress_struct encoder;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf on_error;
    ci_byte_buffer output;
    int started;
    char message[CI_MESSAGE_SIZE];
};

static ci_jpeg_writer *writer_of(j_common_ptr encoder) { return (ci_jpeg_writer *)encoder->client_data; }

static void fail(j_common_ptr encoder) {
    char text[JMSG_LENGTH_MAX];
    encoder->err->format_message(encoder, text);
    ci_jpeg_writer *writer = writer_of(encoder);
    strncpy(writer->message, text, CI_MESSAGE_SIZE - 1);
    writer->message[CI_MESSAGE_SIZE - 1] = 0;
    longjmp(writer->on_error, 1);
}

static void discard_message(j_common_ptr encoder) { (void)encoder; }
static void discard_level(j_common_ptr encoder, int level) { (void)encoder, (void)level; }

static ci_status status_of(ci_jpeg_writer *writer) {
    return writer->errors.msg_code == JERR_OUT_OF_MEMORY ? CI_ERROR_MEMORY : CI_ERROR_UNSUPPORTED;
}

static void offer_space(j_compress_ptr encoder) {
    ci_jpeg_writer *writer = writer_of((j_common_ptr)encoder);
    if (!ci_byte_buffer_reserve(&writer->output, 16384)) ERREXIT1(encoder, JERR_OUT_OF_MEMORY, 0);
    writer->destination.next_output_byte = writer->output.bytes + writer->output.count;
    writer->destination.free_in_buffer = writer->output.capacity - writer->output.count;
}

static boolean grow(j_compress_ptr encoder) {
    // libjpeg calls this when the buffer is full, whatever the fields say.
    writer_of((j_common_ptr)encoder)->output.count = writer_of((j_common_ptr)encoder)->output.capacity;
    offer_space(encoder);
    return TRUE;
}

static void settle(j_compress_ptr encoder) {
    ci_jpeg_writer *writer = writer_of((j_common_ptr)encoder);
    writer->output.count = writer->output.capacity - writer->destination.free_in_buffer;
}

ci_jpeg_writer *ci_jpeg_writer_create(void) {
    ci_jpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->encoder.err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = fail;
    writer->errors.emit_message = discard_level;
    writer->errors.output_message = discard_message;
    writer->encoder.client_data = writer;
    if (setjmp(writer->on_error)) {
        free(writer);
        return NULL;
    }
    jpeg_create_compress(&writer->encoder);
    writer->encoder.client_data = writer;
    writer->destination.init_destination = offer_space;
    writer->destination.empty_output_buffer = grow;
    writer->destination.term_destination = settle;
    writer->encoder.dest = &writer->destination;
    return writer;
}

void ci_jpeg_writer_destroy(ci_jpeg_writer *writer) {
    if (!writer) return;
    if (!setjmp(writer->on_error)) jpeg_destroy_compress(&writer->encoder);
    free(writer->output.bytes);
    free(writer);
}

ci_status ci_jpeg_writer_start(ci_jpeg_writer *writer, const ci_jpeg_options *options) {
    if (writer->started || (options->components != 1 && options->components != 3)) return CI_ERROR_MISUSE;
    if (setjmp(writer->on_error)) return status_of(writer);
    struct jpeg_compress_struct *encoder = &writer->encoder;
    encoder->image_width = options->width;
    encoder->image_height = options->height;
    encoder->input_components = options->components;
    encoder->in_color_space = options->components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(encoder);
    jpeg_set_quality(encoder, options->quality, TRUE);
    encoder->optimize_coding = options->optimize_huffman ? TRUE : FALSE;
    if (options->components == 3) {
        encoder->comp_info[0].h_samp_factor = options->horizontal_sampling;
        encoder->comp_info[0].v_samp_factor = options->vertical_sampling;
    }
    if (options->progressive) jpeg_simple_progression(encoder);
    jpeg_start_compress(encoder, TRUE);
    writer->started = 1;
    return CI_OK;
}

ci_status ci_jpeg_writer_write_icc(ci_jpeg_writer *writer, const uint8_t *profile, size_t count) {
    enum { overhead = 14, piece = 65533 - overhead };
    size_t pieces = (count + piece - 1) / piece;
    if (!writer->started || pieces == 0 || pieces > 255) return CI_ERROR_MISUSE;
    if (setjmp(writer->on_error)) return status_of(writer);
    for (size_t i = 0; i < pieces; i++) {
        size_t offset = i * piece, length = count - offset < piece ? count - offset : piece;
        uint8_t head[overhead] = "ICC_PROFILE";
        head[12] = (uint8_t)(i + 1);
        head[13] = (uint8_t)pieces;
        jpeg_write_m_header(&writer->encoder, JPEG_APP0 + 2, (unsigned)(length + overhead));
        for (int k = 0; k < overhead; k++) jpeg_write_m_byte(&writer->encoder, head[k]);
        for (size_t k = 0; k < length; k++) jpeg_write_m_byte(&writer->encoder, profile[offset + k]);
    }
    return CI_OK;
}

ci_status ci_jpeg_writer_write_rows(ci_jpeg_writer *writer, const uint8_t *const *rows, uint32_t count) {
    if (!writer->started) return CI_ERROR_MISUSE;
    if (setjmp(writer->on_error)) return status_of(writer);
    uint32_t written = 0;
    while (written < count) {
        JDIMENSION taken = jpeg_write_scanlines(&writer->encoder, (JSAMPARRAY)(rows + written), count - written);
        if (taken == 0) return CI_ERROR_MISUSE;
        written += taken;
    }
    return CI_OK;
}

ci_status ci_jpeg_writer_finish(ci_jpeg_writer *writer, const uint8_t **bytes, size_t *count) {
    if (!writer->started) return CI_ERROR_MISUSE;
    if (setjmp(writer->on_error)) return status_of(writer);
    jpeg_finish_compress(&writer->encoder);
    *bytes = writer->output.bytes;
    *count = writer->output.count;
    return CI_OK;
}

const char *ci_jpeg_writer_message(const ci_jpeg_writer *writer) { return writer->message; }
