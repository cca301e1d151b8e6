#ifndef CI_CODEC_STATUS_H
#define CI_CODEC_STATUS_H

#include <stddef.h>
#include <stdint.h>

/// What a codec call came to. Anything below zero ends the use of that reader or writer (except destroying it).
typedef enum {
    CI_OK = 0,
    /// There is more to do: call again.
    CI_MORE = 1,
    /// The file ends before what was asked for.
    CI_ERROR_TRUNCATED = -1,
    /// The file breaks the rules of its format.
    CI_ERROR_CORRUPT = -2,
    /// Legal, but not something the library decodes.
    CI_ERROR_UNSUPPORTED = -3,
    /// The memory limit given, or the machine's memory, does not suffice.
    CI_ERROR_MEMORY = -4,
    /// A call out of order or with bad arguments.
    CI_ERROR_MISUSE = -5,
} ci_status;

/// The longest message a codec can leave, with its terminating zero.
#define CI_MESSAGE_SIZE 224

#endif
