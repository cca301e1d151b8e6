// Kernels of eight floats or sixteen 16-bit integers at a time. Chosen at run time, so only these functions are
// compiled for AVX2.
#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "kernels_internal.h"

#define AVX2 __attribute__((target("avx2,fma")))

/// sRGB to linear for eight bytes in the low half: a polynomial of degree six fitted (minimax over the 216 byte values
/// above the straight part) to within 0.2 / 32767.
AVX2 static inline __m256 srgb_to_linear(__m128i bytes) {
    __m256 x = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes)), _mm256_set1_ps(1 / 255.f));
    __m256 p = _mm256_fmadd_ps(_mm256_set1_ps(-0.05466097965836525f), x, _mm256_set1_ps(0.22672586143016815f));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(-0.43458080291748047f));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(0.717001736164093f));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(0.5114568471908569f));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(0.03313727304339409f));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(0.0009146680240519345f));
    __m256 straight = _mm256_mul_ps(x, _mm256_set1_ps(1 / 12.92f));
    return _mm256_blendv_ps(p, straight, _mm256_cmp_ps(x, _mm256_set1_ps(0.04045f), _CMP_LE_OQ));
}

static void linearize_table(const uint8_t *source, int16_t *target, size_t count, const int16_t *table) {
    for (size_t i = 0; i < count; i += 8) {
        uint64_t v;
        memcpy(&v, source + i, 8);
        for (int k = 0; k < 8; k++) target[i + k] = table[(v >> (8 * k)) & 255];
    }
}

AVX2 static void linearize(const uint8_t *source, int16_t *target, size_t count, const ci_tone_curve *curve) {
    if (!curve->is_srgb) {
        linearize_table(source, target, count, curve->fixed);
        return;
    }
    const __m256 one = _mm256_set1_ps(CI_LINEAR_ONE);
    for (size_t i = 0; i < count; i += 16) {
        __m128i bytes = _mm_loadu_si128((const void *)(source + i));
        __m256i low = _mm256_cvtps_epi32(_mm256_mul_ps(srgb_to_linear(bytes), one));
        __m256i high = _mm256_cvtps_epi32(_mm256_mul_ps(srgb_to_linear(_mm_srli_si128(bytes, 8)), one));
        __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8);
        _mm256_storeu_si256((void *)(target + i), packed);
    }
}

AVX2 static void premultiply(const uint8_t *source, float *target, size_t pixels, const ci_tone_curve *curve) {
    const __m256 unit = _mm256_set1_ps(1 / 255.f);
    for (size_t i = 0; i < pixels; i += 2) {
        __m128i bytes = _mm_loadl_epi64((const void *)(source + 4 * i));
        __m256i wide = _mm256_cvtepu8_epi32(bytes);
        __m256 alpha = _mm256_mul_ps(_mm256_permute_ps(_mm256_cvtepi32_ps(wide), 0xFF), unit);
        __m256 color = curve->is_srgb ? srgb_to_linear(bytes) : _mm256_i32gather_ps(curve->real, wide, 4);
        _mm256_storeu_ps(target + 4 * i, _mm256_blend_ps(_mm256_mul_ps(color, alpha), alpha, 0x88));
    }
}

/// Stores sixteen sums that two unpacks left as {0-3, 8-11} and {4-7, 12-15}.
AVX2 static inline void store_scaled(float *target, __m256i first, __m256i second, __m256 scale) {
    __m256 a = _mm256_mul_ps(_mm256_cvtepi32_ps(first), scale);
    __m256 b = _mm256_mul_ps(_mm256_cvtepi32_ps(second), scale);
    _mm256_storeu_ps(target, _mm256_permute2f128_ps(a, b, 0x20));
    _mm256_storeu_ps(target + 8, _mm256_permute2f128_ps(a, b, 0x31));
}

AVX2 static inline __m256i weight_pair(const int16_t *weights) {
    int32_t pair;
    memcpy(&pair, weights, 4);
    return _mm256_set1_epi32(pair);
}

#define ACCUMULATE(sum, samples, weights) sum = _mm256_add_epi32(sum, _mm256_madd_epi16(samples, weights))

AVX2 static void vertical_i16(const int16_t *const *rows, const int16_t *weights0, const int16_t *weights1, int taps,
                              float *target0, float *target1, size_t count, float scale) {
    const __m256 factor = _mm256_set1_ps(scale);
    for (size_t x = 0; x < count; x += 32) {
        __m256i a0 = _mm256_setzero_si256(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
        for (int t = 0; t < taps; t += 2) {
            const int16_t *r = rows[t] + x, *s = rows[t + 1] + x;
            __m256i u = weight_pair(weights0 + t), v = weight_pair(weights1 + t);
            __m256i p = _mm256_loadu_si256((const void *)r), q = _mm256_loadu_si256((const void *)s);
            __m256i low = _mm256_unpacklo_epi16(p, q), high = _mm256_unpackhi_epi16(p, q);
            ACCUMULATE(a0, low, u);
            ACCUMULATE(a1, high, u);
            ACCUMULATE(b0, low, v);
            ACCUMULATE(b1, high, v);
            p = _mm256_loadu_si256((const void *)(r + 16));
            q = _mm256_loadu_si256((const void *)(s + 16));
            low = _mm256_unpacklo_epi16(p, q);
            high = _mm256_unpackhi_epi16(p, q);
            ACCUMULATE(a2, low, u);
            ACCUMULATE(a3, high, u);
            ACCUMULATE(b2, low, v);
            ACCUMULATE(b3, high, v);
        }
        store_scaled(target0 + x, a0, a1, factor);
        store_scaled(target0 + x + 16, a2, a3, factor);
        store_scaled(target1 + x, b0, b1, factor);
        store_scaled(target1 + x + 16, b2, b3, factor);
    }
}

AVX2 static inline __m256i spread(const uint8_t *source) {
    return _mm256_permute4x64_epi64(_mm256_loadu_si256((const void *)source), 0xD8);
}

AVX2 static void vertical_u8(const uint8_t *const *rows, const int16_t *weights0, const int16_t *weights1, int taps,
                             float *target0, float *target1, size_t count, float scale) {
    const __m256 factor = _mm256_set1_ps(scale);
    const __m256i zero = _mm256_setzero_si256();
    for (size_t x = 0; x < count; x += 32) {
        __m256i a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero, b3 = zero;
        for (int t = 0; t < taps; t += 2) {
            __m256i u = weight_pair(weights0 + t), v = weight_pair(weights1 + t);
            // Spread over the lanes as {0-7, 16-23} and {8-15, 24-31}, so that the unpacks leave store_scaled's order.
            __m256i p = spread(rows[t] + x), q = spread(rows[t + 1] + x);
            __m256i low = _mm256_unpacklo_epi8(p, q), high = _mm256_unpackhi_epi8(p, q);
            __m256i pairs = _mm256_unpacklo_epi8(low, zero);
            ACCUMULATE(a0, pairs, u);
            ACCUMULATE(b0, pairs, v);
            pairs = _mm256_unpackhi_epi8(low, zero);
            ACCUMULATE(a1, pairs, u);
            ACCUMULATE(b1, pairs, v);
            pairs = _mm256_unpacklo_epi8(high, zero);
            ACCUMULATE(a2, pairs, u);
            ACCUMULATE(b2, pairs, v);
            pairs = _mm256_unpackhi_epi8(high, zero);
            ACCUMULATE(a3, pairs, u);
            ACCUMULATE(b3, pairs, v);
        }
        store_scaled(target0 + x, a0, a1, factor);
        store_scaled(target0 + x + 16, a2, a3, factor);
        store_scaled(target1 + x, b0, b1, factor);
        store_scaled(target1 + x + 16, b2, b3, factor);
    }
}

AVX2 static void vertical_f32(const float *const *rows, const float *weights0, const float *weights1, int taps,
                              float *target0, float *target1, size_t count) {
    for (size_t x = 0; x < count; x += 32) {
        __m256 a[4], b[4];
        for (int k = 0; k < 4; k++) a[k] = b[k] = _mm256_setzero_ps();
        for (int t = 0; t < taps; t++) {
            const float *row = rows[t] + x;
            __m256 u = _mm256_broadcast_ss(weights0 + t), v = _mm256_broadcast_ss(weights1 + t);
            for (int k = 0; k < 4; k++) {
                __m256 samples = _mm256_loadu_ps(row + 8 * k);
                a[k] = _mm256_fmadd_ps(u, samples, a[k]);
                b[k] = _mm256_fmadd_ps(v, samples, b[k]);
            }
        }
        for (int k = 0; k < 4; k++) {
            _mm256_storeu_ps(target0 + x + 8 * k, a[k]);
            _mm256_storeu_ps(target1 + x + 8 * k, b[k]);
        }
    }
}

AVX2 static inline float sum8(__m256 v) {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

AVX2 static void horizontal_1(const float *source0, const float *source1, const float *weights, const int32_t *offsets,
                              int groups, float *target0, float *target1, size_t pixels) {
    for (size_t x = 0; x < pixels; x++) {
        const float *p = source0 + offsets[x], *q = source1 + offsets[x];
        __m256 a = _mm256_setzero_ps(), b = a;
        for (int g = 0; g < groups; g++, p += 8, q += 8, weights += 8) {
            __m256 w = _mm256_loadu_ps(weights);
            a = _mm256_fmadd_ps(_mm256_loadu_ps(p), w, a);
            b = _mm256_fmadd_ps(_mm256_loadu_ps(q), w, b);
        }
        target0[x] = sum8(a);
        target1[x] = sum8(b);
    }
}

/// Adds up RGBRGBRG, BRGBRGBR and GBRGBRGB into R, G, B (and something).
AVX2 static inline __m128 sum_rgb(__m256 a, __m256 b, __m256 c) {
    __m128 rgbr = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(b, 1));
    __m128 gbrg = _mm_add_ps(_mm256_extractf128_ps(a, 1), _mm256_castps256_ps128(c));
    __m128 brgb = _mm_add_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps(c, 1));
    __m128 second = _mm_permute_ps(gbrg, _MM_SHUFFLE(3, 1, 0, 2));
    __m128 third = _mm_permute_ps(brgb, _MM_SHUFFLE(3, 0, 2, 1));
    __m128 fourth = _mm_permute_ps(_mm_shuffle_ps(rgbr, gbrg, _MM_SHUFFLE(3, 3, 3, 3)), _MM_SHUFFLE(0, 0, 2, 0));
    fourth = _mm_shuffle_ps(fourth, brgb, _MM_SHUFFLE(3, 3, 1, 0));
    return _mm_add_ps(_mm_add_ps(rgbr, second), _mm_add_ps(third, fourth));
}

AVX2 static void horizontal_3(const float *source0, const float *source1, const float *weights, const int32_t *offsets,
                              int groups, float *target0, float *target1, size_t pixels) {
    const __m256i first = _mm256_setr_epi32(0, 0, 0, 1, 1, 1, 2, 2);
    const __m256i second = _mm256_setr_epi32(2, 3, 3, 3, 4, 4, 4, 5);
    const __m256i third = _mm256_setr_epi32(5, 5, 6, 6, 6, 7, 7, 7);
    for (size_t x = 0; x < pixels; x++) {
        const float *p = source0 + 3 * (ptrdiff_t)offsets[x], *q = source1 + 3 * (ptrdiff_t)offsets[x];
        __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a, e = a, f = a;
        for (int g = 0; g < groups; g++, p += 24, q += 24, weights += 8) {
            __m256 w = _mm256_loadu_ps(weights);
            __m256 u = _mm256_permutevar8x32_ps(w, first);
            __m256 v = _mm256_permutevar8x32_ps(w, second);
            w = _mm256_permutevar8x32_ps(w, third);
            a = _mm256_fmadd_ps(_mm256_loadu_ps(p), u, a);
            d = _mm256_fmadd_ps(_mm256_loadu_ps(q), u, d);
            b = _mm256_fmadd_ps(_mm256_loadu_ps(p + 8), v, b);
            e = _mm256_fmadd_ps(_mm256_loadu_ps(q + 8), v, e);
            c = _mm256_fmadd_ps(_mm256_loadu_ps(p + 16), w, c);
            f = _mm256_fmadd_ps(_mm256_loadu_ps(q + 16), w, f);
        }
        // Writes one sample too many, which the next pixel overwrites.
        _mm_storeu_ps(target0 + 3 * x, sum_rgb(a, b, c));
        _mm_storeu_ps(target1 + 3 * x, sum_rgb(d, e, f));
    }
}

AVX2 static inline __m128 sum_rgba(__m256 a, __m256 b) {
    a = _mm256_add_ps(a, b);
    return _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
}

AVX2 static void horizontal_4(const float *source0, const float *source1, const float *weights, const int32_t *offsets,
                              int groups, float *target0, float *target1, size_t pixels) {
    const __m256i pair[4] = {
        _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1),
        _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3),
        _mm256_setr_epi32(4, 4, 4, 4, 5, 5, 5, 5),
        _mm256_setr_epi32(6, 6, 6, 6, 7, 7, 7, 7),
    };
    for (size_t x = 0; x < pixels; x++) {
        const float *p = source0 + 4 * (ptrdiff_t)offsets[x], *q = source1 + 4 * (ptrdiff_t)offsets[x];
        __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;
        for (int g = 0; g < groups; g++, p += 32, q += 32, weights += 8) {
            __m256 w = _mm256_loadu_ps(weights);
            for (int k = 0; k < 4; k += 2) {
                __m256 u = _mm256_permutevar8x32_ps(w, pair[k]), v = _mm256_permutevar8x32_ps(w, pair[k + 1]);
                a = _mm256_fmadd_ps(_mm256_loadu_ps(p + 8 * k), u, a);
                b = _mm256_fmadd_ps(_mm256_loadu_ps(p + 8 * k + 8), v, b);
                c = _mm256_fmadd_ps(_mm256_loadu_ps(q + 8 * k), u, c);
                d = _mm256_fmadd_ps(_mm256_loadu_ps(q + 8 * k + 8), v, d);
            }
        }
        _mm_storeu_ps(target0 + 4 * x, sum_rgba(a, b));
        _mm_storeu_ps(target1 + 4 * x, sum_rgba(c, d));
    }
}

AVX2 static void encode_table(const float *source, uint8_t *target, size_t count, const uint8_t *table) {
    const __m256 top = _mm256_set1_ps(65535.f);
    for (size_t i = 0; i < count; i += 8) {
        __m256 v = _mm256_mul_ps(_mm256_loadu_ps(source + i), top);
        // The order of operands makes a NaN 0.
        v = _mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), top);
        uint32_t index[8];
        _mm256_storeu_si256((void *)index, _mm256_cvtps_epi32(v));
        for (int k = 0; k < 8; k++) target[i + k] = table[index[k]];
    }
}

AVX2 static void encode_round(const float *source, uint8_t *target, size_t count) {
    const __m256 top = _mm256_set1_ps(255.f), zero = _mm256_setzero_ps();
    for (size_t i = 0; i < count; i += 16) {
        __m256 low = _mm256_min_ps(_mm256_max_ps(_mm256_loadu_ps(source + i), zero), top);
        __m256 high = _mm256_min_ps(_mm256_max_ps(_mm256_loadu_ps(source + i + 8), zero), top);
        __m256i packed = _mm256_packs_epi32(_mm256_cvtps_epi32(low), _mm256_cvtps_epi32(high));
        packed = _mm256_permute4x64_epi64(packed, 0xD8);
        packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(packed, packed), 0xD8);
        _mm_storeu_si128((void *)(target + i), _mm256_castsi256_si128(packed));
    }
}

AVX2 static void unpremultiply(const float *source, uint8_t *target, size_t pixels, const uint8_t *table) {
    const __m128 one = _mm_set1_ps(1.f), zero = _mm_setzero_ps();
    for (size_t i = 0; i < pixels; i++) {
        __m128 pixel = _mm_loadu_ps(source + 4 * i);
        __m128 alpha = _mm_min_ps(_mm_max_ps(_mm_permute_ps(pixel, 0xFF), zero), one);
        // What rounds to nothing has no colour.
        __m128 visible = _mm_cmpge_ps(alpha, _mm_set1_ps(0.5f / 255));
        __m128 color = _mm_min_ps(_mm_max_ps(_mm_div_ps(pixel, alpha), zero), one);
        color = _mm_and_ps(_mm_blend_ps(color, alpha, 8), visible);
        __m128i bytes = _mm_cvtps_epi32(_mm_mul_ps(color, _mm_set1_ps(255.f)));
        bytes = _mm_packs_epi32(bytes, bytes);
        int32_t rounded = _mm_cvtsi128_si32(_mm_packus_epi16(bytes, bytes));
        memcpy(target + 4 * i, &rounded, 4);
        if (table) {
            uint32_t index[4];
            _mm_storeu_si128((void *)index, _mm_cvtps_epi32(_mm_mul_ps(color, _mm_set1_ps(65535.f))));
            for (int c = 0; c < 3; c++) target[4 * i + c] = table[index[c]];
        }
    }
}

const ci_kernels ci_avx2_kernels = {
    .level = CI_KERNELS_AVX2,
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

// Only what gains from 512 bits differs: an exact table look-up of 64 bytes at once, and the vertical pass.

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,avx2,fma")))

AVX512 static inline __m512i look_up(__m512i index, __mmask64 upper, const uint8_t *table) {
    __m512i low = _mm512_permutex2var_epi8(_mm512_loadu_si512(table), index, _mm512_loadu_si512(table + 64));
    __m512i high = _mm512_permutex2var_epi8(_mm512_loadu_si512(table + 128), index, _mm512_loadu_si512(table + 192));
    return _mm512_mask_blend_epi8(upper, low, high);
}

AVX512 static void linearize_512(const uint8_t *source, int16_t *target, size_t count, const ci_tone_curve *curve) {
    const __m512i interleaved = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    for (size_t i = 0; i < count; i += 64) {
        __m512i index = _mm512_permutexvar_epi64(interleaved, _mm512_loadu_si512(source + i));
        __mmask64 upper = _mm512_movepi8_mask(index);
        __m512i low = look_up(index, upper, curve->fixed_low), high = look_up(index, upper, curve->fixed_high);
        _mm512_storeu_si512(target + i, _mm512_unpacklo_epi8(low, high));
        _mm512_storeu_si512(target + i + 32, _mm512_unpackhi_epi8(low, high));
    }
}

AVX512 static inline void store_scaled_512(float *target, __m512i first, __m512i second, __m512 scale) {
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512d a = _mm512_castps_pd(_mm512_mul_ps(_mm512_cvtepi32_ps(first), scale));
    __m512d b = _mm512_castps_pd(_mm512_mul_ps(_mm512_cvtepi32_ps(second), scale));
    _mm512_storeu_ps(target, _mm512_castpd_ps(_mm512_permutex2var_pd(a, low, b)));
    _mm512_storeu_ps(target + 16, _mm512_castpd_ps(_mm512_permutex2var_pd(a, high, b)));
}

AVX512 static void vertical_i16_512(const int16_t *const *rows, const int16_t *weights0, const int16_t *weights1,
                                    int taps, float *target0, float *target1, size_t count, float scale) {
    const __m512 factor = _mm512_set1_ps(scale);
    for (size_t x = 0; x < count; x += 32) {
        __m512i a0 = _mm512_setzero_si512(), a1 = a0, b0 = a0, b1 = a0;
        for (int t = 0; t < taps; t += 2) {
            int32_t pair0, pair1;
            memcpy(&pair0, weights0 + t, 4);
            memcpy(&pair1, weights1 + t, 4);
            __m512i u = _mm512_set1_epi32(pair0), v = _mm512_set1_epi32(pair1);
            __m512i p = _mm512_loadu_si512(rows[t] + x), q = _mm512_loadu_si512(rows[t + 1] + x);
            __m512i low = _mm512_unpacklo_epi16(p, q), high = _mm512_unpackhi_epi16(p, q);
            a0 = _mm512_add_epi32(a0, _mm512_madd_epi16(low, u));
            a1 = _mm512_add_epi32(a1, _mm512_madd_epi16(high, u));
            b0 = _mm512_add_epi32(b0, _mm512_madd_epi16(low, v));
            b1 = _mm512_add_epi32(b1, _mm512_madd_epi16(high, v));
        }
        store_scaled_512(target0 + x, a0, a1, factor);
        store_scaled_512(target1 + x, b0, b1, factor);
    }
}

const ci_kernels ci_avx512_kernels = {
    .level = CI_KERNELS_AVX512,
    .linearize = linearize_512,
    .premultiply = premultiply,
    .vertical_i16 = vertical_i16_512,
    .vertical_u8 = vertical_u8,
    .vertical_f32 = vertical_f32,
    .horizontal_1 = horizontal_1,
    .horizontal_3 = horizontal_3,
    .horizontal_4 = horizontal_4,
    .encode_table = encode_table,
    .encode_round = encode_round,
    .unpremultiply = unpremultiply,
};

#endif
