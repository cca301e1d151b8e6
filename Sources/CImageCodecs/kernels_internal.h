#ifndef CI_KERNELS_INTERNAL_H
#define CI_KERNELS_INTERNAL_H

#include "resample_kernels.h"

extern const ci_kernels ci_portable_kernels;

#if defined(__x86_64__)
extern const ci_kernels ci_avx2_kernels;
extern const ci_kernels ci_avx512_kernels;
#endif

#endif
