// The only module that calls WebCrypto. Algorithms are those of docs/protocol/encoding.md.

import { hexadecimal, joined } from './bytes.js';

const curve = { namedCurve: 'P-256' };
const signing = { name: 'ECDSA', ...curve };
const agreement = { name: 'ECDH', ...curve };
const hashing = { name: 'HMAC', hash: 'SHA-256' };

/** The SubjectPublicKeyInfo of a P-256 key, up to the point. */
const keyInfoHead = Uint8Array.of(
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
    0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
);

export const random = (count) => crypto.getRandomValues(new Uint8Array(count));

export async function sha256(bytes) {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

// MARK: HMAC and HKDF

/** A key that no script can read. */
export const macKey = (bytes) => crypto.subtle.importKey('raw', bytes, hashing, false, ['sign']);

/** A new random key that no script can read. */
export const newMACKey = () =>
    crypto.subtle.generateKey({ ...hashing, length: 256 }, false, ['sign']);

/** @param {Uint8Array | CryptoKey} key */
export async function mac(key, message) {
    const own = key instanceof Uint8Array ? await macKey(key) : key;
    return new Uint8Array(await crypto.subtle.sign('HMAC', own, message));
}

/** HKDF-Extract (RFC 5869, section 2.2). */
export const extract = (salt, key) => mac(salt, key);

/** HKDF-Expand to 32 bytes, which is one block (RFC 5869, section 2.3). */
export const expand = (key, info) => mac(key, joined(info, Uint8Array.of(1)));

// MARK: P-256

/** @typedef {{ privateKey: CryptoKey, publicKey: Uint8Array }} KeyPair */

/** @returns {Promise<KeyPair>} */
async function newKeyPair(algorithm, uses) {
    // The private key is not extractable. A public key always is.
    const pair = await crypto.subtle.generateKey(algorithm, false, uses);
    const point = await crypto.subtle.exportKey('raw', pair.publicKey);
    return { privateKey: pair.privateKey, publicKey: new Uint8Array(point) };
}

export const newSigningKey = () => newKeyPair(signing, ['sign']);
export const newAgreementKey = () => newKeyPair(agreement, ['deriveBits']);

/** ECDSA with SHA-256: r and s, with 32 bytes each. */
export async function sign(privateKey, message) {
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
    return new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, message));
}

/** Whether the key made the signature; both s and n - s are valid. The point is on the curve. */
export async function isSigned(publicKey, signature, message) {
    const key = await crypto.subtle.importKey('raw', publicKey, signing, false, ['verify']);
    return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, message);
}

/** The x coordinate that both sides compute. */
export async function agreed(privateKey, publicKey) {
    const other = await crypto.subtle.importKey('raw', publicKey, agreement, false, []);
    const bits = await crypto.subtle.deriveBits({ name: 'ECDH', public: other }, privateKey, 256);
    return new Uint8Array(bits);
}

/** The name of a server key: 32 hexadecimal digits. */
export async function nameOfKey(publicKey) {
    return hexadecimal((await sha256(joined(keyInfoHead, publicKey))).slice(0, 16));
}

// MARK: AES-GCM

/** The nonce, the ciphertext and the tag. */
export async function seal(key, nonce, content, associated) {
    const sealing = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
    const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: associated, tagLength: 128 };
    return joined(nonce, new Uint8Array(await crypto.subtle.encrypt(algorithm, sealing, content)));
}
