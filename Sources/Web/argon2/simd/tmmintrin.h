// opt.c needs nothing else of SSSE3.
#include "emmintrin.h"
