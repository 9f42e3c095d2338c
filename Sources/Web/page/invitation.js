// What the link that opened the page asks for. The fragment never leaves the browser.
//
// Everybody can write a link. So its parts are checked here, and nothing happens without the person.

import { fromBase64url, readOrNothing } from './bytes.js';

const typedText = /^[0-9A-Za-z -]{1,64}$/;
const maximumDataCharacters = 4_096;

/**
 * @typedef {{ kind: 'none' | 'damaged' }
 *     | { kind: 'activation', activation: string, code?: string }
 *     | { kind: 'login', data: Uint8Array, returnURL: URL }} Invitation
 */

/** @returns {Invitation} */
export function invitationOf(fragment) {
    const text = fragment.replace(/^#/, '');
    if (text === '') return { kind: 'none' };
    const parts = partsOf(text);
    switch (parts && [...parts.keys()].sort().join(' ')) {
    case 'activation':
    case 'activation code': return activationOf(parts);
    case 'login return': return loginOf(parts);
    default: return { kind: 'damaged' };
    }
}

/** Undefined if a part has no name or value, has a wrong escape, or is repeated. */
function partsOf(text) {
    const parts = new Map();
    for (const part of text.split('&')) {
        const [, name, encoded] = /^([a-z]+)=(.+)$/s.exec(part) ?? [];
        const value = name && decoded(encoded);
        if (!value || parts.has(name)) return undefined;
        parts.set(name, value);
    }
    return parts;
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return undefined;
    }
}

function activationOf(parts) {
    const [activation, code] = [parts.get('activation'), parts.get('code')];
    const isTyped = [activation, code ?? '0'].every((text) => typedText.test(text));
    return isTyped ? { kind: 'activation', activation, code } : { kind: 'damaged' };
}

function loginOf(parts) {
    const [encoded, address] = [parts.get('login'), parts.get('return')];
    const data = encoded.length <= maximumDataCharacters
        ? readOrNothing(() => fromBase64url(encoded)) : undefined;
    // An @ before the path would hide the host.
    const isAddress = /^https:\/\/[^\s\\@/?#]+([/?#][^\s\\]*)?$/.test(address)
        && URL.canParse(address);
    if (!data || !isAddress) return { kind: 'damaged' };
    const returnURL = new URL(address);
    // The bank would find two logins.
    if (returnURL.searchParams.has('login')) return { kind: 'damaged' };
    return { kind: 'login', data, returnURL };
}
