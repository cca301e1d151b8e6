#include "png_writer.h"

#include <setjmp.h>

#include <png.h>

#include "byte_buffer.h"

struct ci_png_writer {
    png_structp png;
    png_infop info;
    jmp_buf on_error;
    ci_byte_buffer output;
    int out_of_memory, started;
    char message[CI_MESSAGE_SIZE];
};

static void fail(png_structp png, png_const_charp text) {
    ci_png_writer *writer = png_get_error_ptr(png);
    strncpy(writer->message, text, CI_MESSAGE_SIZE - 1);
    writer->message[CI_MESSAGE_SIZE - 1] = 0;
    longjmp(writer->on_error, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) { (void)png, (void)text; }

static ci_status status_of(ci_png_writer *writer) {
    return writer->out_of_memory ? CI_ERROR_MEMORY : CI_ERROR_UNSUPPORTED;
}

static void append(png_structp png, png_bytep bytes, png_size_t count) {
    ci_png_writer *writer = png_get_io_ptr(png);
    if (!ci_byte_buffer_reserve(&writer->output, count)) {
        writer->out_of_memory = 1;
        png_error(png, "Out of memory");
    }
    memcpy(writer->output.bytes + writer->output.count, bytes, count);
    writer->output.count += count;
}

static void flush(png_structp png) { (void)png; }

ci_png_writer *ci_png_writer_create(void) {
    ci_png_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    if (setjmp(writer->on_error)) {
        ci_png_writer_destroy(writer);
        return NULL;
    }
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, fail, ignore_warning);
    if (writer->png) writer->info = png_create_info_struct(writer->png);
    if (!writer->info) {
        ci_png_writer_destroy(writer);
        return NULL;
    }
    png_set_write_fn(writer->png, writer, append, flush);
    return writer;
}

void ci_png_writer_destroy(ci_png_writer *writer) {
    if (!writer) return;
    if (writer->png && !setjmp(writer->on_error))
        png_destroy_write_struct(&writer->png, writer->info ? &writer->info : NULL);
    free(writer->output.bytes);
    free(writer);
}

static int libpng_filters(int filters) {
    return ((filters & CI_PNG_NONE) ? PNG_FILTER_NONE : 0) | ((filters & CI_PNG_SUB) ? PNG_FILTER_SUB : 0) |
           ((filters & CI_PNG_UP) ? PNG_FILTER_UP : 0) | ((filters & CI_PNG_AVERAGE) ? PNG_FILTER_AVG : 0) |
           ((filters & CI_PNG_PAETH) ? PNG_FILTER_PAETH : 0);
}

ci_status ci_png_writer_start(ci_png_writer *writer, const ci_png_options *options) {
    if (writer->started || options->palette_count > 256) return CI_ERROR_MISUSE;
    if (setjmp(writer->on_error)) return status_of(writer);
    png_structp png = writer->png;
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, writer->info, options->width, options->height, options->bit_depth, (int)options->color,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, options->level);
    png_set_compression_mem_level(png, 9);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, libpng_filters(options->filters));
    if (options->palette) {
        png_color palette[256];
        for (int i = 0; i < options->palette_count; i++) {
            palette[i].red = options->palette[3 * i];
            palette[i].green = options->palette[3 * i + 1];
            palette[i].blue = options->palette[3 * i + 2];
        }
        png_set_PLTE(png, writer->info, palette, options->palette_count);
        if (options->transparency_count > 0)
            png_set_tRNS(png, writer->info, (png_bytep)options->transparency, options->transparency_count, NULL);
    }
    if (options->icc && options->icc_count <= UINT32_MAX)
        png_set_iCCP(png, writer->info, "icc", PNG_COMPRESSION_TYPE_BASE, options->icc, (uint32_t)options->icc_count);
    png_write_info(png, writer->info);
    writer->started = 1;
    return CI_OK;
}

ci_status ci_png_writer_write_rows(ci_png_writer *writer, const uint8_t *const *rows, uint32_t count) {
    if (!writer->started) return CI_ERROR_MISUSE;
    if (setjmp(writer->on_error)) return status_of(writer);
    png_write_rows(writer->png, (png_bytepp)rows, count);
    return CI_OK;
}

ci_status ci_png_writer_finish(ci_png_writer *writer, const uint8_t **bytes, size_t *count) {
    if (!writer->started) return CI_ERROR_MISUSE;
    if (setjmp(writer->on_error)) return status_of(writer);
    png_write_end(writer->png, writer->info);
    *bytes = writer->output.bytes;
    *count = writer->output.count;
    return CI_OK;
}

const char *ci_png_writer_message(const ci_png_writer *writer) { return writer->message; }
