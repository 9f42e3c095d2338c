// How a web device derives its seeds. The verifier never sees the inputs.
//
// Every input that is stored is random, and nothing stored depends on the PIN. So a copy of the
// browser's profile shows for no PIN if it is right (SEC-116).

import { FieldWriter, noBytes, require, utf8 } from './bytes.js';
import * as cryptography from './cryptography.js';
import { credentialForm } from './values.js';

/** RFC 9106, section 4, second recommended option: 64 MiB, three passes, four lanes. */
const stretching = { passes: 3, memoryKiB: 65_536, lanes: 4 };

/**
 * The stored inputs of one generation of a seed.
 * @typedef {{ generation: bigint, share: Uint8Array, salt: Uint8Array, factor?: Uint8Array }}
 *     Ingredients
 */

/** Only the device credential stores its factor: it needs the device and no PIN. */
export function newIngredients(kind, generation) {
    const ingredients = {
        generation,
        share: cryptography.random(32),
        salt: cryptography.random(16),
    };
    return kind === 'device' ? { ...ingredients, factor: cryptography.random(32) } : ingredients;
}

/**
 * Argon2id to 32 bytes (RFC 9106, version 0x13).
 * @typedef {(password: Uint8Array, salt: Uint8Array, cost: typeof stretching) =>
 *     Uint8Array | Promise<Uint8Array>} Argon2
 */

/**
 * The factor of a PIN: Argon2id of its digits.
 * @param {string} pin
 * @param {Argon2} argon2
 */
export async function pinFactor(pin, salt, argon2) {
    const digits = utf8(pin);
    try {
        const factor = await argon2(digits, salt, stretching);
        require(factor.length === 32, 'a factor of another length');
        return factor;
    } finally {
        digits.fill(0);
    }
}

/**
 * The seed of a credential. Every input has its length before it.
 * @param {CryptoKey} storeKey an HMAC key that no script can read
 * @param {import('./values.js').Credential} credential
 * @param {Uint8Array} share
 * @param {Uint8Array} factor
 * @param {Uint8Array} passkeyOutput the output of WebAuthn PRF, or no bytes
 */
export async function deriveSeed(storeKey, credential, share, factor, passkeyOutput = noBytes) {
    const form = new FieldWriter('countersign web-credential-seed 1')
        .field(credentialForm(credential))
        .field(share)
        .field(passkeyOutput)
        .field(factor)
        .bytes;
    try {
        return await cryptography.mac(storeKey, form);
    } finally {
        form.fill(0);
    }
}
