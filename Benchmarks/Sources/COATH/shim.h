// liboath: the library that HOTP is compared with.
#ifndef BENCHMARKS_COATH_H
#define BENCHMARKS_COATH_H

#include <liboath/oath.h>

#endif
