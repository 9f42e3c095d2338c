// liboath: the peer that HOTP is measured against.
#ifndef BENCHMARKS_COATH_H
#define BENCHMARKS_COATH_H

#include <liboath/oath.h>

#endif
