// The inner loops of resizing: tone curves, the vertical and the horizontal filter pass, premultiplication.
//
// Rows are padded: a kernel may read and write up to CI_ROW_PADDING samples past the count it is given, so every row
// buffer must be that much longer, and hold finite values there.
#ifndef CI_RESAMPLE_KERNELS_H
#define CI_RESAMPLE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum {
    CI_ROW_PADDING = 64,
    /// Linear light as 16-bit integers: 0 to this.
    CI_LINEAR_ONE = 32767,
    /// Horizontal weights come in groups of this many taps, the last filled with zeros.
    CI_TAP_GROUP = 8,
};

/// Which instructions the kernels use. Each gives the same results, but for the last bit of a float sum and one unit
/// of CI_LINEAR_ONE.
typedef enum { CI_KERNELS_PORTABLE = 0, CI_KERNELS_AVX2 = 1, CI_KERNELS_AVX512 = 2 } ci_kernel_level;

/// A 256-entry tone curve in the forms the kernels want.
typedef struct {
    /// 0 to CI_LINEAR_ONE.
    int16_t fixed[256];
    /// 0 to 1.
    float real[256];
    /// The low and the high bytes of `fixed`.
    uint8_t fixed_low[256], fixed_high[256];
    /// The curve is sRGB's, for which a polynomial may stand in.
    int is_srgb;
} ci_tone_curve;

typedef struct {
    ci_kernel_level level;

    /// 8-bit samples through `curve` to linear light.
    void (*linearize)(const uint8_t *source, int16_t *target, size_t count, const ci_tone_curve *curve);

    /// Straight RGBA bytes to premultiplied floats of 0 to 1, colours through `curve`.
    void (*premultiply)(const uint8_t *source, float *target, size_t pixels, const ci_tone_curve *curve);

    /// Two output rows at once from the same input rows: target0 = scale * sum(rows[t] * weights0[t]). `taps` is even
    /// for the integer forms.
    void (*vertical_i16)(const int16_t *const *rows, const int16_t *weights0, const int16_t *weights1, int taps,
                         float *target0, float *target1, size_t count, float scale);
    void (*vertical_u8)(const uint8_t *const *rows, const int16_t *weights0, const int16_t *weights1, int taps,
                        float *target0, float *target1, size_t count, float scale);
    void (*vertical_f32)(const float *const *rows, const float *weights0, const float *weights1, int taps,
                         float *target0, float *target1, size_t count);

    /// Two rows at once, interleaved pixels. `offsets` are the first source pixel of each target pixel, `weights` has
    /// `groups` groups of CI_TAP_GROUP for each.
    void (*horizontal_1)(const float *source0, const float *source1, const float *weights, const int32_t *offsets,
                         int groups, float *target0, float *target1, size_t pixels);
    void (*horizontal_3)(const float *source0, const float *source1, const float *weights, const int32_t *offsets,
                         int groups, float *target0, float *target1, size_t pixels);
    void (*horizontal_4)(const float *source0, const float *source1, const float *weights, const int32_t *offsets,
                         int groups, float *target0, float *target1, size_t pixels);

    /// Linear light of 0 to 1, clamped, to bytes by a table of 65536.
    void (*encode_table)(const float *source, uint8_t *target, size_t count, const uint8_t *table);
    /// 0 to 255, clamped and rounded.
    void (*encode_round)(const float *source, uint8_t *target, size_t count);
    /// Premultiplied floats back to straight RGBA bytes; colours by `table`, or rounded when it is NULL.
    void (*unpremultiply)(const float *source, uint8_t *target, size_t pixels, const uint8_t *table);
} ci_kernels;

/// The best kernels this processor runs.
const ci_kernels *ci_kernels_best(void);
/// The kernels of one level, NULL where the processor or the build lacks it.
const ci_kernels *ci_kernels_at(ci_kernel_level level);

/// Fills `fixed_low`, `fixed_high` and `fixed` from `real`.
void ci_tone_curve_prepare(ci_tone_curve *curve);

/// Rows of CMYK to RGB without a profile: each of R, G, B is the product of its ink's and black's transmission.
void ci_cmyk_to_rgb(const uint8_t *source, uint8_t *target, size_t pixels, int inverted);

#endif
