// The binary form of docs/protocol/encoding.md, and the texts that stand for bytes.

/** The input breaks a rule of the protocol. The caller refuses it as a whole. */
export class Malformed extends Error {}

/** @param {unknown} condition @param {string} rule */
export function require(condition, rule) {
    if (!condition) throw new Malformed(rule);
}

/** The result of `read`, or undefined if the input is malformed. */
export function readOrNothing(read) {
    try {
        return read();
    } catch (error) {
        if (error instanceof Malformed) return undefined;
        throw error;
    }
}

// MARK: Bytes

export const noBytes = new Uint8Array(0);

/** @param {...Uint8Array} parts */
export function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let offset = 0;
    for (const part of parts) {
        whole.set(part, offset);
        offset += part.length;
    }
    return whole;
}

/** Compares all bytes, so that the time does not show the first difference. */
export function areEqual(some, others) {
    if (some.length !== others.length) return false;
    let difference = 0;
    for (let place = 0; place < some.length; place++) difference |= some[place] ^ others[place];
    return difference === 0;
}

// MARK: Texts

const encoder = new TextEncoder();

/** @param {string} text */
export const utf8 = (text) => encoder.encode(text);

/** The text of valid UTF-8; a byte order mark stays in it. */
export function fromUTF8(bytes) {
    try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
        throw new Malformed('not UTF-8');
    }
}

export const hexadecimal = (bytes) =>
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export function fromHexadecimal(text) {
    require(/^(?:[0-9a-f]{2})*$/.test(text), 'not lower-case hexadecimal');
    return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

/** Base64 with padding. */
export const base64 = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''));

/** Accepts only the text that `base64` writes: with padding, without stray bits. */
export function fromBase64(text) {
    require(/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0, 'not base64');
    let decoded;
    try {
        decoded = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    } catch {
        throw new Malformed('not base64');
    }
    require(base64(decoded) === text, 'stray bits in base64');
    return decoded;
}

export const base64url = (bytes) =>
    base64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');

/** Accepts only the text that `base64url` writes: without padding and stray bits. */
export function fromBase64url(text) {
    require(/^[A-Za-z0-9_-]*$/.test(text) && text.length % 4 !== 1, 'not base64url');
    const plain = text.replace(/-/g, '+').replace(/_/g, '/');
    return fromBase64(plain + '='.repeat(-plain.length & 3));
}

// MARK: The binary form

/** Writes fields one after the other, each in the form of its kind. */
export class FieldWriter {
    #parts = [];

    /** @param {string} [label] the purpose of the form */
    constructor(label) {
        if (label !== undefined) this.text(label);
    }

    /** Bytes without a length: an id, or another form that is not nested. */
    raw(bytes) {
        this.#parts.push(bytes);
        return this;
    }

    /** Bytes after their length. */
    field(bytes) {
        return this.count(bytes.length).raw(bytes);
    }

    text(text) {
        return this.field(utf8(text));
    }

    byte(value) {
        return this.raw(Uint8Array.of(value));
    }

    /** A number in 4 bytes. */
    count(value) {
        const bytes = new Uint8Array(4);
        new DataView(bytes.buffer).setUint32(0, value);
        return this.raw(bytes);
    }

    /** @param {bigint} value a number in 8 bytes */
    number(value) {
        const bytes = new Uint8Array(8);
        new DataView(bytes.buffer).setBigUint64(0, value);
        return this.raw(bytes);
    }

    get bytes() {
        return joined(...this.#parts);
    }
}

/** Reads what `FieldWriter` writes, and refuses all other bytes. */
export class FieldReader {
    #bytes;
    #offset = 0;

    constructor(bytes) {
        this.#bytes = bytes;
    }

    get isAtEnd() {
        return this.#offset === this.#bytes.length;
    }

    raw(count) {
        require(count <= this.#bytes.length - this.#offset, 'the form is too short');
        this.#offset += count;
        return this.#bytes.slice(this.#offset - count, this.#offset);
    }

    byte() {
        return this.raw(1)[0];
    }

    count() {
        return new DataView(this.raw(4).buffer).getUint32(0);
    }

    number() {
        return new DataView(this.raw(8).buffer).getBigUint64(0);
    }

    field(most) {
        const count = this.count();
        require(count <= most, 'a field is too long');
        return this.raw(count);
    }

    text(most) {
        return fromUTF8(this.field(most));
    }

    end() {
        require(this.isAtEnd, 'bytes after the end of the form');
    }
}
