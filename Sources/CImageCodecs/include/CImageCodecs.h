// Thin C over libjpeg and libpng, and the resampling kernels. Every function that calls into a codec library sets its
// own jump target, so that no error of theirs unwinds through a Swift frame.
#ifndef C_IMAGE_CODECS_H
#define C_IMAGE_CODECS_H

#include "codec_status.h"
#include "jpeg_reader.h"
#include "jpeg_writer.h"
#include "png_reader.h"
#include "png_writer.h"
#include "resample_kernels.h"

#endif
