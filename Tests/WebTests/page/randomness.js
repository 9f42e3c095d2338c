// Makes the page's random bytes and keys the same in each run, to compare stored profiles.

import { hexadecimal } from '/approve/bytes.js';
import { agreementPair, signingPair } from './keys.js';

export function repeat() {
    let count = 0;
    // Different bytes for each call, and the same in each run.
    crypto.getRandomValues = (bytes) => {
        count += 1;
        for (const at of bytes.keys()) bytes[at] = (17 * count + 31 * at) & 0xff;
        return bytes;
    };
    crypto.subtle.generateKey = async (algorithm, extractable, uses) => {
        const bytes = crypto.getRandomValues(new Uint8Array(32));
        if (algorithm.name === 'HMAC') {
            return crypto.subtle.importKey('raw', bytes, algorithm, extractable, uses);
        }
        const make = algorithm.name === 'ECDSA' ? signingPair : agreementPair;
        const pair = await make(hexadecimal(bytes.fill(0, 0, 1)), extractable);
        const point = await crypto.subtle.importKey('raw', pair.publicKey, algorithm, true, []);
        return { privateKey: pair.privateKey, publicKey: point };
    };
}
