// The policy for devices: docs/protocol/activation.md.

import { FieldReader, require } from './bytes.js';
import { isHost } from './values.js';

/** The kinds of devices that an activation is for. */
const deviceKinds = new Map([[1, 'app'], [2, 'web'], [3, 'webWithPasskey']]);

/** The sum of these numbers names several types. */
const types = [[1, 'consent'], [2, 'userPIN'], [4, 'biometric']];

/**
 * @typedef {{
 *     minimumDigits: number, maximumDigits: number, authentication: string[],
 *     deviceKind: string, returnAddresses: string[],
 * }} Policy
 */

/** Refuses all bytes that no verifier writes. @returns {Policy} */
export function readPolicy(bytes) {
    const reader = new FieldReader(bytes);
    require(reader.text(64) === 'countersign device-policy 2', 'another label');
    const [minimumDigits, maximumDigits] = [reader.byte(), reader.byte()];
    require(
        minimumDigits >= 4 && minimumDigits <= maximumDigits && maximumDigits <= 12,
        'other digit counts',
    );
    const authentication = readTypes(reader.byte());
    const deviceKind = deviceKinds.get(reader.byte());
    require(deviceKind, 'an unknown kind of device');
    // A browser has no biometric credential: a passkey guards its seeds instead.
    const isPossible = deviceKind === 'app' || !authentication.includes('biometric');
    require(isPossible, 'biometric authentication in a browser');
    const returnAddresses = [];
    while (!reader.isAtEnd) returnAddresses.push(returnAddress(reader.text(500)));
    return { minimumDigits, maximumDigits, authentication, deviceKind, returnAddresses };
}

function readTypes(sum) {
    require(sum > 0 && sum < 8, 'unknown types of authentication');
    return types.filter(([flag]) => sum & flag).map(([, type]) => type);
}

/** The address of all shops, for card payments. */
const anyWebsite = 'https://*';

/** Whether the policy has the scheme and host of this return address of a transaction. */
export function allowsReturn({ returnAddresses }, address) {
    const place = /^[^:]*:\/\/[^/?]*/.exec(address ?? '')?.[0];
    if (place === undefined || place === anyWebsite) return false;
    return returnAddresses.includes(place)
        || (place.startsWith('https:') && returnAddresses.includes(anyWebsite));
}

/** A login returns only to the addresses of the bank itself. */
export const allowsLoginReturn = ({ returnAddresses }, origin) =>
    origin !== anyWebsite && returnAddresses.includes(origin);

/** The scheme and host of an address that a person may be sent back to. */
function returnAddress(text) {
    if (text === anyWebsite) return text;
    const parts = /^([^:]*):\/\/([^/?]*)$/.exec(text);
    require(parts && isHost(parts[2]) && isScheme(parts[1]), 'not a return address');
    return text;
}

const isScheme = (text) =>
    text === 'https' || (text.includes('.') && isHost(text) && !/^[0-9]/.test(text));
