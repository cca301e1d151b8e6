#include "png_reader.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct ci_png_reader {
    png_structp png;
    png_infop info;
    jmp_buf on_error;
    const uint8_t *bytes;
    size_t count, offset;
    int hit_end, out_of_memory, started;
    char message[CI_MESSAGE_SIZE];
};

static void fail(png_structp png, png_const_charp text) {
    ci_png_reader *reader = png_get_error_ptr(png);
    strncpy(reader->message, text, CI_MESSAGE_SIZE - 1);
    reader->message[CI_MESSAGE_SIZE - 1] = 0;
    if (strstr(text, "ut of memory") || strstr(text, "nsufficient memory")) reader->out_of_memory = 1;
    longjmp(reader->on_error, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) { (void)png, (void)text; }

static ci_status status_of(ci_png_reader *reader) {
    if (reader->out_of_memory) return CI_ERROR_MEMORY;
    return reader->hit_end ? CI_ERROR_TRUNCATED : CI_ERROR_CORRUPT;
}

static void read_bytes(png_structp png, png_bytep target, png_size_t count) {
    ci_png_reader *reader = png_get_io_ptr(png);
    if (count > reader->count - reader->offset) {
        reader->hit_end = 1;
        png_error(png, "File ends early");
    }
    memcpy(target, reader->bytes + reader->offset, count);
    reader->offset += count;
}

ci_png_reader *ci_png_reader_create(const uint8_t *bytes, size_t count, size_t chunk_limit) {
    ci_png_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    if (setjmp(reader->on_error)) {
        ci_png_reader_destroy(reader);
        return NULL;
    }
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, fail, ignore_warning);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (!reader->info) {
        ci_png_reader_destroy(reader);
        return NULL;
    }
    png_set_read_fn(reader->png, reader, read_bytes);
    png_set_chunk_malloc_max(reader->png, chunk_limit);
    png_set_chunk_cache_max(reader->png, 64);
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
    // Text may inflate to anything and is not used: it is skipped, its checksum read, nothing kept.
    static const png_byte skipped[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0eXIf\0tIME\0pCAL\0sCAL\0oFFs";
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, skipped, (int)(sizeof skipped / 5));
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
#endif
    return reader;
}

void ci_png_reader_destroy(ci_png_reader *reader) {
    if (!reader) return;
    if (reader->png && !setjmp(reader->on_error))
        png_destroy_read_struct(&reader->png, reader->info ? &reader->info : NULL, NULL);
    free(reader);
}

ci_status ci_png_reader_start(ci_png_reader *reader, uint32_t max_side, ci_png_info *info) {
    if (reader->started) return CI_ERROR_MISUSE;
    if (setjmp(reader->on_error)) return status_of(reader);
    png_structp png = reader->png;
    png_set_user_limits(png, max_side, max_side);
    png_read_info(png, reader->info);
    int color = png_get_color_type(png, reader->info);
    int transparent = png_get_valid(png, reader->info, PNG_INFO_tRNS) != 0;
    png_set_expand(png);
    png_set_scale_16(png);
    // Gray with alpha is rare enough to travel as RGBA.
    if (!(color & PNG_COLOR_MASK_COLOR) && ((color & PNG_COLOR_MASK_ALPHA) || transparent)) png_set_gray_to_rgb(png);
    info->passes = png_set_interlace_handling(png);
    png_read_update_info(png, reader->info);
    info->width = png_get_image_width(png, reader->info);
    info->height = png_get_image_height(png, reader->info);
    info->channels = png_get_channels(png, reader->info);
    if (png_get_bit_depth(png, reader->info) != 8 ||
        (info->channels != 1 && info->channels != 3 && info->channels != 4) ||
        png_get_rowbytes(png, reader->info) != (size_t)info->width * (size_t)info->channels) {
        strcpy(reader->message, "Unexpected row layout");
        return CI_ERROR_UNSUPPORTED;
    }
    png_charp name = NULL;
    png_bytep profile = NULL;
    png_uint_32 count = 0;
    int method = 0;
    info->icc = NULL;
    info->icc_count = 0;
    if (png_get_iCCP(png, reader->info, &name, &method, &profile, &count)) {
        info->icc = profile;
        info->icc_count = count;
    }
    reader->started = 1;
    return CI_OK;
}

ci_status ci_png_reader_read_rows(ci_png_reader *reader, uint8_t *const *rows, uint32_t count) {
    if (!reader->started) return CI_ERROR_MISUSE;
    if (setjmp(reader->on_error)) return status_of(reader);
    png_read_rows(reader->png, (png_bytepp)rows, NULL, count);
    return CI_OK;
}

ci_status ci_png_reader_finish(ci_png_reader *reader) {
    if (!reader->started) return CI_ERROR_MISUSE;
    if (setjmp(reader->on_error)) return status_of(reader);
    png_read_end(reader->png, NULL);
    return CI_OK;
}

const char *ci_png_reader_message(const ci_png_reader *reader) { return reader->message; }
