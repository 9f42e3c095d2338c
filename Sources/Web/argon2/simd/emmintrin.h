// The SSE intrinsics of opt.c in libargon2, as WebAssembly SIMD.
#ifndef COUNTERSIGN_SIMD_H
#define COUNTERSIGN_SIMD_H

#include <wasm_simd128.h>

typedef v128_t __m128i;

#define _MM_SHUFFLE(d, c, b, a) (((d) << 6) | ((c) << 4) | ((b) << 2) | (a))

#define _mm_loadu_si128(address) wasm_v128_load(address)
#define _mm_storeu_si128(address, value) wasm_v128_store(address, value)
#define _mm_xor_si128(a, b) wasm_v128_xor(a, b)
#define _mm_add_epi64(a, b) wasm_i64x2_add(a, b)
#define _mm_srli_epi64(a, bits) wasm_u64x2_shr(a, bits)
#define _mm_slli_epi64(a, bits) wasm_i64x2_shl(a, bits)

// The low halves of both lanes, multiplied to 64 bits.
static inline __m128i _mm_mul_epu32(__m128i a, __m128i b) {
    return wasm_u64x2_extmul_low_u32x4(wasm_i32x4_shuffle(a, a, 0, 2, 0, 2),
                                       wasm_i32x4_shuffle(b, b, 0, 2, 0, 2));
}

// A swizzle with a constant pattern: the compiler turns it into a shuffle.
#define _mm_setr_epi8(...) wasm_i8x16_const(__VA_ARGS__)
#define _mm_shuffle_epi8(a, pattern) wasm_i8x16_swizzle(a, pattern)
#define _mm_shuffle_epi32(a, order)                                                        \
    wasm_i32x4_shuffle(a, a, (order) & 3, (order) >> 2 & 3, (order) >> 4 & 3,              \
                       (order) >> 6 & 3)

// opt.c shifts by 8 bytes only: the upper half of b, then the lower half of a.
#define _mm_alignr_epi8(a, b, bytes)                                                       \
    wasm_i64x2_shuffle(b, a, (bytes) == 8 ? 1 : -1, 2)

#endif
