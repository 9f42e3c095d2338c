// Argon2id for the page, over libargon2: the page writes the inputs, calls, and reads the key.
#include "argon2.h"
#include "core.h"

// Limits of the protocol's inputs; `derive` refuses more.
enum { maximum_bytes = 1024 };

static uint8_t password[maximum_bytes], salt[maximum_bytes], key[maximum_bytes];

__attribute__((export_name("password"))) uint8_t *password_address(void) { return password; }
__attribute__((export_name("salt"))) uint8_t *salt_address(void) { return salt; }
__attribute__((export_name("key"))) uint8_t *key_address(void) { return key; }

// Returns 0, or an error of argon2.h.
__attribute__((export_name("derive"))) int derive(uint32_t password_count, uint32_t salt_count,
                                                  uint32_t key_count, uint32_t passes,
                                                  uint32_t memory_kib, uint32_t lanes) {
    if (password_count > maximum_bytes) return ARGON2_PWD_TOO_LONG;
    if (salt_count > maximum_bytes) return ARGON2_SALT_TOO_LONG;
    if (key_count > maximum_bytes) return ARGON2_OUTPUT_TOO_LONG;
    // The page overwrites all memory afterwards.
    FLAG_clear_internal_memory = 0;
    argon2_context context = {
        .out = key,
        .outlen = key_count,
        .pwd = password,
        .pwdlen = password_count,
        .salt = salt,
        .saltlen = salt_count,
        .t_cost = passes,
        .m_cost = memory_kib,
        .lanes = lanes,
        .threads = lanes,
        .version = ARGON2_VERSION_13,
    };
    return argon2_ctx(&context, Argon2_id);
}
