#include "kernels_internal.h"

const ci_kernels *ci_kernels_at(ci_kernel_level level) {
    switch (level) {
        case CI_KERNELS_PORTABLE:
            return &ci_portable_kernels;
#if defined(__x86_64__)
        case CI_KERNELS_AVX2:
            return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &ci_avx2_kernels : NULL;
        case CI_KERNELS_AVX512:
            return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                           __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                           __builtin_cpu_supports("avx512vbmi")
                       ? &ci_avx512_kernels
                       : NULL;
#endif
        default:
            return NULL;
    }
}

const ci_kernels *ci_kernels_best(void) {
    const ci_kernels *kernels = ci_kernels_at(CI_KERNELS_AVX512);
    if (!kernels) kernels = ci_kernels_at(CI_KERNELS_AVX2);
    return kernels ? kernels : &ci_portable_kernels;
}
