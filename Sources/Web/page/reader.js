// The rules for content that a person sees: the verifier's own Swift code as WebAssembly.

/** More bytes are refused whatever they are. */
const maximumByteCount = 65_536;

const encoder = new TextEncoder();
// A byte order mark is a character like any other.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The content of a transaction. Amounts and account numbers are as a person reads them.
 * @typedef {{
 *     enterprise: string, id: string, account: { type: string, id: string },
 *     context: 'payment' | 'action' | 'login', title: string,
 *     fields: { label: string, value: string }[], amounts: string[],
 *     payees: { name: string, account?: string, merchant?: string }[],
 *     reference: string | null, returnAddress: string | null,
 *     authentication: ('consent' | 'userPIN' | 'biometric')[],
 *     created: number, deadline: number,
 * }} Content
 */

/**
 * Loads the module, which is compiled while it arrives.
 * @param {AbortSignal} [signal] ends the transfer
 */
export async function loadReader(signal) {
    const response = fetch(new URL('reader.wasm', import.meta.url), { signal });
    return new Reader(await WebAssembly.compileStreaming(response));
}

export class Reader {
    #module;
    #exports;

    constructor(module) {
        this.#module = module;
    }

    /**
     * The content of a transaction, or the reason why nothing of it can be shown.
     * @param {Uint8Array} bytes the canonical bytes
     * @returns {{ content: Content } | { refusal: string, field?: string }}
     */
    read(bytes) {
        const result = this.#call('read', bytes.subarray(0, maximumByteCount + 1));
        if (!result) return { refusal: 'failed' };
        if (result.refused) return { refusal: result.refused, field: result.field ?? undefined };
        // Times are texts of digits. A number is exact until the last time of JavaScript.
        const [created, deadline] = [Number(result.created), Number(result.deadline)];
        return { content: { ...result, created, deadline } };
    }

    /**
     * The number of characters of a text, or the first rule for displayed texts that it breaks.
     * @param {string} text
     * @returns {{ count: number } | { refusal: string, offset?: number }}
     */
    check(text) {
        const result = this.#call('check', encoder.encode(text));
        if (!result) return { refusal: 'failed' };
        return result.refused ? { refusal: result.refused, offset: result.offset } : result;
    }

    /** The result, or undefined after a trap. An instance that trapped is never used again. */
    #call(name, bytes) {
        try {
            this.#exports ??= instantiate(this.#module);
            return call(this.#exports, name, bytes);
        } catch {
            this.#exports = undefined;
            return undefined;
        }
    }
}

function instantiate(module) {
    const imports = {
        browser: {
            normalizedPrefix: (address, count) =>
                normalizedPrefix(decoder.decode(new Uint8Array(memory.buffer, address, count))),
        },
    };
    const { exports } = new WebAssembly.Instance(module, imports);
    const { memory } = exports;
    return exports;
}

/** The number of scalars before the first that normalization would change. */
function normalizedPrefix(text) {
    const normalized = [...text.normalize('NFC')];
    const scalars = [...text];
    const first = scalars.findIndex((scalar, place) => scalar !== normalized[place]);
    return first < 0 ? scalars.length : first;
}

/** The result of an export: its length in four bytes, then JSON. */
function call(exports, name, bytes) {
    const argument = exports.allocate(bytes.length);
    new Uint8Array(exports.memory.buffer, argument, bytes.length).set(bytes);
    const result = exports[name](argument, bytes.length);
    // The memory may have grown, and its buffer is then another one.
    const { buffer } = exports.memory;
    const length = new DataView(buffer).getUint32(result, true);
    const value = JSON.parse(decoder.decode(new Uint8Array(buffer, result + 4, length)));
    exports.release(result);
    exports.release(argument);
    return value;
}
