// The values of docs/protocol/encoding.md that texts and messages have in common.

import { FieldWriter, fromBase64url, fromHexadecimal, readOrNothing, require } from './bytes.js';

export const kinds = ['user', 'device', 'biometric'];

/** The name of an enterprise, an account or a transaction. */
export function name(text) {
    require(/^[A-Za-z0-9._-]{1,64}$/.test(text) && text !== '.' && text !== '..', 'not a name');
    return text;
}

/** The hexadecimal digits of an id with 16 bytes. */
export function identifier(text) {
    require(/^[0-9a-f]{32}$/.test(text), 'not an id');
    return text;
}

/** A generation, an epoch or a counter. */
export function decimal(text) {
    require(/^(?:0|[1-9][0-9]{0,19})$/.test(text), 'not a decimal');
    const value = BigInt(text);
    require(value < 1n << 64n, 'a decimal above 64 bits');
    return value;
}

/** Bytes of a fixed count, in base64url. */
export const binary = (count) => (text) => {
    const bytes = fromBase64url(text);
    require(bytes.length === count, 'another number of bytes');
    return bytes;
};

// MARK: Keys

const prime = (1n << 256n) - (1n << 224n) + (1n << 192n) + (1n << 96n) - 1n;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

const integer = (bytes) => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** An uncompressed point on P-256, which is not a secret. */
export function point(bytes) {
    require(bytes.length === 65 && bytes[0] === 4, 'not an uncompressed point');
    const [x, y] = [integer(bytes.slice(1, 33)), integer(bytes.slice(33))];
    require(x < prime && y < prime, 'a coordinate is too large');
    require((y * y - (x * x * x - 3n * x + b)) % prime === 0n, 'a point off the curve');
    return bytes;
}

/** A key in a message. */
export const key = (text) => point(fromBase64url(text));

// MARK: Credentials

/** @typedef {{ enterprise: string, id: string, kind: string, generation: bigint }} Credential */

/** The binary form of a credential, without a length. @param {Credential} credential */
export function credentialForm({ enterprise, id, kind, generation }) {
    require(kinds.includes(kind), 'an unknown kind');
    return new FieldWriter()
        .text(name(enterprise))
        .raw(fromHexadecimal(identifier(id)))
        .text(kind)
        .number(generation)
        .bytes;
}

// MARK: Displayed names

/** Controls, enclosing marks, spaces except U+0020, and characters that are never visible. */
const hidden = /[\p{C}\p{Me}]|(?! )\p{Z}|[\u034F\u17B4\u17B5\u3164]/u;

/**
 * A device name. These rules keep a name from hiding or reordering the text around it. The reader
 * has all rules for displayed text: see `isDeviceName`.
 */
export function deviceName(text) {
    require(text.length > 0 && [...text].length <= 64, 'a name of another length');
    require(text.trim() === text && !text.includes('  '), 'a space too many');
    require(text.normalize('NFC') === text, 'not in Normalization Form C');
    require(!hidden.test(text), 'a hidden character');
    return text;
}

/** Whether a name can be sent and shown, by all rules of the reader. */
export const isDeviceName = (text, reader) =>
    readOrNothing(() => deviceName(text)) !== undefined && !reader.check(text).refusal;

// MARK: Origins and addresses

const isHostLabel = (label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label);

export const isHost = (text) => text.length <= 253 && text.split('.').every(isHostLabel);

/** A verifier's origin: `http` is for this machine only. */
export function origin(text) {
    const parts = /^(https?):\/\/([^:/]*)(?::([1-9][0-9]{0,4}))?$/.exec(text);
    require(parts && text.length <= 300 && isHost(parts[2]), 'not an origin');
    const [, scheme, host, port] = parts;
    require(scheme === 'https' || ['localhost', '127.0.0.1'].includes(host), 'not an origin');
    require(port === undefined || Number(port) < 65_536, 'not a port');
    require(port !== (scheme === 'https' ? '443' : '80'), 'a default port');
    return text;
}
