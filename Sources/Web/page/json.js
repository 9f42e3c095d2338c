// The strict JSON of docs/protocol/encoding.md. Two parsers must read equal values from the bytes.

import { Malformed, fromUTF8, require } from './bytes.js';

/** Sizes that a body must not exceed. */
export const bodyLimits = { bytes: 65_536, depth: 16, values: 4_096 };

const escapes = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * The value of a JSON text: a Map, an array, a string, a safe integer or a boolean.
 * @param {Uint8Array} bytes
 */
export function readJSON(bytes, limits = bodyLimits) {
    require(bytes.length <= limits.bytes, 'too many bytes');
    return new Parser(fromUTF8(bytes), limits).whole();
}

class Parser {
    #text;
    #limits;
    #place = 0;
    #values = 0;

    constructor(text, limits) {
        this.#text = text;
        this.#limits = limits;
    }

    whole() {
        const value = this.#value(0);
        this.#skipSpace();
        require(this.#place === this.#text.length, 'text after the value');
        return value;
    }

    #value(depth) {
        this.#skipSpace();
        switch (this.#text[this.#place]) {
        case '{': return this.#object(depth + 1);
        case '[': return this.#list(depth + 1);
        case '"': return this.#string();
        case 't': return this.#word('true', true);
        case 'f': return this.#word('false', false);
        default: return this.#integer();
        }
    }

    #object(depth) {
        const members = new Map();
        this.#elements('}', depth, () => {
            this.#skipSpace();
            const name = this.#string();
            require(!members.has(name), 'a member twice');
            this.#skipSpace();
            this.#expect(':');
            members.set(name, this.#value(depth));
        });
        return members;
    }

    #list(depth) {
        const elements = [];
        this.#elements(']', depth, () => elements.push(this.#value(depth)));
        return elements;
    }

    /** Reads elements between commas, from the opening bracket to `end`. */
    #elements(end, depth, readOne) {
        require(depth <= this.#limits.depth, 'too many levels');
        this.#place += 1;
        this.#skipSpace();
        if (this.#takes(end)) return;
        do {
            this.#values += 1;
            require(this.#values <= this.#limits.values, 'too many values');
            readOne();
            this.#skipSpace();
        } while (this.#takes(','));
        this.#expect(end);
    }

    #string() {
        this.#expect('"');
        let text = '';
        for (;;) {
            const character = this.#next();
            if (character === '"') break;
            require(character >= ' ', 'a control character');
            text += character === '\\' ? this.#escape() : character;
        }
        require(!/[\0\p{Surrogate}]/u.test(text), 'U+0000 or half a surrogate pair');
        return text;
    }

    #escape() {
        const character = this.#next();
        if (character !== 'u') {
            require(Object.hasOwn(escapes, character), 'an unknown escape');
            return escapes[character];
        }
        const digits = this.#text.slice(this.#place, this.#place + 4);
        require(/^[0-9A-Fa-f]{4}$/.test(digits), 'an escape without four digits');
        this.#place += 4;
        return String.fromCharCode(parseInt(digits, 16));
    }

    /** Without fraction and exponent, and at most 2^53 - 1: no message has a larger number. */
    #integer() {
        const number = /-?[0-9.eE+-]*/y;
        number.lastIndex = this.#place;
        const text = number.exec(this.#text)[0];
        require(/^(?:0|-?[1-9][0-9]{0,15})$/.test(text), 'not an integer');
        require(Number.isSafeInteger(Number(text)), 'an integer above 2^53');
        this.#place += text.length;
        return Number(text);
    }

    #word(word, value) {
        require(this.#text.startsWith(word, this.#place), 'an unknown word');
        this.#place += word.length;
        return value;
    }

    #next() {
        require(this.#place < this.#text.length, 'the text is too short');
        return this.#text[this.#place++];
    }

    #takes(character) {
        if (this.#text[this.#place] !== character) return false;
        this.#place += 1;
        return true;
    }

    #expect(character) {
        require(this.#takes(character), `no ${character}`);
    }

    #skipSpace() {
        while (' \t\n\r'.includes(this.#text[this.#place] ?? 'end')) this.#place += 1;
    }
}

// MARK: Typed members

/** @typedef {(value: unknown) => any} Form reads one value, or throws Malformed */

/** @param {Form} form */
export const optional = (form) => Object.assign((value) => form(value), { isOptional: true });

/**
 * An object with exactly these members.
 * @param {Record<string, Form>} forms
 */
export const members = (forms) => (value) => {
    require(value instanceof Map, 'not an object');
    for (const name of value.keys()) require(Object.hasOwn(forms, name), 'an unknown member');
    const result = {};
    for (const [name, form] of Object.entries(forms)) {
        if (value.has(name)) result[name] = form(value.get(name));
        else require(form.isOptional, 'a missing member');
    }
    return result;
};

/** @param {Form} form */
export const listOf = (form) => (value) => {
    require(Array.isArray(value), 'not a list');
    return value.map((element) => form(element));
};

/** A text that `read` converts or refuses. */
export const text = (read) => (value) => {
    require(typeof value === 'string', 'not a text');
    return read(value);
};

export const oneOf = (...words) => text((value) => {
    require(words.includes(value), 'an unknown word');
    return value;
});

export const whole = (most) => (value) => {
    require(Number.isSafeInteger(value) && value >= 0 && value <= most, 'not such a number');
    return value;
};

export const boolean = (value) => {
    require(typeof value === 'boolean', 'not a boolean');
    return value;
};

/** The first form that fits. */
export const either = (...forms) => (value) => {
    for (const form of forms) {
        try {
            return form(value);
        } catch (error) {
            // The next form may fit.
            if (!(error instanceof Malformed)) throw error;
        }
    }
    throw new Malformed('no form fits');
};
