// New keys of the verifier: docs/protocol/transport.md.

import { FieldWriter } from './bytes.js';
import * as cryptography from './cryptography.js';

/**
 * Whether the keys of a device include all announced ones.
 * @param {string} announced their names, from a field that no signature covers
 * @param {Uint8Array[]} keys
 */
export async function areKnown(announced, keys) {
    const names = await Promise.all(keys.map(cryptography.nameOfKey));
    return announced.split(',').every((name) => names.includes(name));
}

/**
 * The announced key-agreement key; undefined unless the trusted key signed it.
 * A device that missed an earlier change ignores the announcement: another key signed it.
 * @param {{ key: Uint8Array, signature: Uint8Array } | undefined} announcement
 */
export async function trustedAgreementKey(announcement, origin, current) {
    if (!announcement) return undefined;
    const form = new FieldWriter('countersign agreement-key-announcement 1')
        .text(origin).field(current).field(announcement.key).bytes;
    const isSigned = await cryptography.isSigned(current, announcement.signature, form);
    return isSigned ? announcement.key : undefined;
}
