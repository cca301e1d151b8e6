// The reference form of each kernel, and the one used where no wider one is available.
#include <math.h>

#include "kernels_internal.h"

void ci_tone_curve_prepare(ci_tone_curve *curve) {
    for (int i = 0; i < 256; i++) {
        curve->fixed[i] = (int16_t)lrintf(curve->real[i] * CI_LINEAR_ONE);
        curve->fixed_low[i] = (uint8_t)(curve->fixed[i] & 255);
        curve->fixed_high[i] = (uint8_t)(curve->fixed[i] >> 8);
    }
}

static inline float clamp(float value, float high) {
    // Written so that a NaN becomes 0.
    value = value > 0 ? value : 0;
    return value < high ? value : high;
}

static void linearize(const uint8_t *source, int16_t *target, size_t count, const ci_tone_curve *curve) {
    for (size_t i = 0; i < count; i++) target[i] = curve->fixed[source[i]];
}

static void premultiply(const uint8_t *source, float *target, size_t pixels, const ci_tone_curve *curve) {
    for (size_t i = 0; i < pixels; i++, source += 4, target += 4) {
        float alpha = (float)source[3] * (1 / 255.f);
        target[0] = curve->real[source[0]] * alpha;
        target[1] = curve->real[source[1]] * alpha;
        target[2] = curve->real[source[2]] * alpha;
        target[3] = alpha;
    }
}

enum { block = 16 };

static void vertical_i16(const int16_t *const *rows, const int16_t *weights0, const int16_t *weights1, int taps,
                         float *target0, float *target1, size_t count, float scale) {
    for (size_t x = 0; x < count; x += block) {
        int32_t sum0[block] = {0}, sum1[block] = {0};
        for (int t = 0; t < taps; t++) {
            const int16_t *row = rows[t] + x;
            int32_t a = weights0[t], b = weights1[t];
            for (int i = 0; i < block; i++) {
                sum0[i] += a * row[i];
                sum1[i] += b * row[i];
            }
        }
        for (int i = 0; i < block; i++) {
            target0[x + i] = (float)sum0[i] * scale;
            target1[x + i] = (float)sum1[i] * scale;
        }
    }
}

static void vertical_u8(const uint8_t *const *rows, const int16_t *weights0, const int16_t *weights1, int taps,
                        float *target0, float *target1, size_t count, float scale) {
    for (size_t x = 0; x < count; x += block) {
        int32_t sum0[block] = {0}, sum1[block] = {0};
        for (int t = 0; t < taps; t++) {
            const uint8_t *row = rows[t] + x;
            int32_t a = weights0[t], b = weights1[t];
            for (int i = 0; i < block; i++) {
                sum0[i] += a * row[i];
                sum1[i] += b * row[i];
            }
        }
        for (int i = 0; i < block; i++) {
            target0[x + i] = (float)sum0[i] * scale;
            target1[x + i] = (float)sum1[i] * scale;
        }
    }
}

static void vertical_f32(const float *const *rows, const float *weights0, const float *weights1, int taps,
                         float *target0, float *target1, size_t count) {
    for (size_t x = 0; x < count; x += block) {
        float sum0[block] = {0}, sum1[block] = {0};
        for (int t = 0; t < taps; t++) {
            const float *row = rows[t] + x;
            float a = weights0[t], b = weights1[t];
            for (int i = 0; i < block; i++) {
                sum0[i] += a * row[i];
                sum1[i] += b * row[i];
            }
        }
        for (int i = 0; i < block; i++) {
            target0[x + i] = sum0[i];
            target1[x + i] = sum1[i];
        }
    }
}

static inline __attribute__((always_inline)) void horizontal(const float *source, const float *weights,
                                                             const int32_t *offsets, int groups, float *target,
                                                             size_t pixels, int channels) {
    for (size_t x = 0; x < pixels; x++, target += channels) {
        const float *from = source + (ptrdiff_t)offsets[x] * channels;
        float sum[4] = {0};
        for (int t = 0; t < groups * CI_TAP_GROUP; t++, from += channels) {
            float weight = *weights++;
            for (int c = 0; c < channels; c++) sum[c] += weight * from[c];
        }
        for (int c = 0; c < channels; c++) target[c] = sum[c];
    }
}

static void horizontal_1(const float *source0, const float *source1, const float *weights, const int32_t *offsets,
                         int groups, float *target0, float *target1, size_t pixels) {
    horizontal(source0, weights, offsets, groups, target0, pixels, 1);
    horizontal(source1, weights, offsets, groups, target1, pixels, 1);
}

static void horizontal_3(const float *source0, const float *source1, const float *weights, const int32_t *offsets,
                         int groups, float *target0, float *target1, size_t pixels) {
    horizontal(source0, weights, offsets, groups, target0, pixels, 3);
    horizontal(source1, weights, offsets, groups, target1, pixels, 3);
}

static void horizontal_4(const float *source0, const float *source1, const float *weights, const int32_t *offsets,
                         int groups, float *target0, float *target1, size_t pixels) {
    horizontal(source0, weights, offsets, groups, target0, pixels, 4);
    horizontal(source1, weights, offsets, groups, target1, pixels, 4);
}

static void encode_table(const float *source, uint8_t *target, size_t count, const uint8_t *table) {
    for (size_t i = 0; i < count; i++) target[i] = table[(int)(clamp(source[i], 1) * 65535 + 0.5f)];
}

static void encode_round(const float *source, uint8_t *target, size_t count) {
    for (size_t i = 0; i < count; i++) target[i] = (uint8_t)(clamp(source[i], 255) + 0.5f);
}

static void unpremultiply(const float *source, uint8_t *target, size_t pixels, const uint8_t *table) {
    for (size_t i = 0; i < pixels; i++, source += 4, target += 4) {
        float alpha = clamp(source[3], 1);
        uint8_t byte = (uint8_t)(alpha * 255 + 0.5f);
        // What rounds to nothing has no colour: one is only noise there, and would cost bytes.
        float inverse = byte ? 1 / alpha : 0;
        for (int c = 0; c < 3; c++) {
            float value = clamp(source[c] * inverse, 1);
            target[c] = table ? table[(int)(value * 65535 + 0.5f)] : (uint8_t)(value * 255 + 0.5f);
        }
        target[3] = byte;
    }
}

const ci_kernels ci_portable_kernels = {
    .level = CI_KERNELS_PORTABLE,
    .linearize = linearize,
    .premultiply = premultiply,
    .vertical_i16 = vertical_i16,
    .vertical_u8 = vertical_u8,
    .vertical_f32 = vertical_f32,
    .horizontal_1 = horizontal_1,
    .horizontal_3 = horizontal_3,
    .horizontal_4 = horizontal_4,
    .encode_table = encode_table,
    .encode_round = encode_round,
    .unpremultiply = unpremultiply,
};

void ci_cmyk_to_rgb(const uint8_t *source, uint8_t *target, size_t pixels, int inverted) {
    unsigned flip = inverted ? 0 : 255;
    for (size_t i = 0; i < pixels; i++, source += 4, target += 3) {
        unsigned black = source[3] ^ flip;
        for (int c = 0; c < 3; c++) {
            unsigned product = (source[c] ^ flip) * black + 128;
            target[c] = (uint8_t)((product + (product >> 8)) >> 8);  // exact division by 255, rounded
        }
    }
}
