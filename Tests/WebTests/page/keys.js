// Keys with known scalars, for vectors. The page itself never imports a private key.

import { fromBase64url, fromHexadecimal, joined } from '/approve/bytes.js';

// An ECPrivateKey without its public key (RFC 5915), in a PrivateKeyInfo (RFC 5208).
const info = (scalar) => {
    const key = joined(fromHexadecimal('30250201010420'), scalar);
    const algorithm = fromHexadecimal('301306072a8648ce3d020106082a8648ce3d030107');
    const octets = joined(Uint8Array.of(4, key.length), key);
    const content = joined(fromHexadecimal('020100'), algorithm, octets);
    return joined(Uint8Array.of(0x30, content.length), content);
};

async function pair(scalarHex, name, uses, isExtractable) {
    const encoded = info(fromHexadecimal(scalarHex));
    const algorithm = { name, namedCurve: 'P-256' };
    const privateKey = await crypto.subtle.importKey('pkcs8', encoded, algorithm, true, uses);
    const { x, y } = await crypto.subtle.exportKey('jwk', privateKey);
    const publicKey = joined(Uint8Array.of(4), fromBase64url(x), fromBase64url(y));
    if (isExtractable) return { privateKey, publicKey };
    const hidden = await crypto.subtle.importKey('pkcs8', encoded, algorithm, false, uses);
    return { privateKey: hidden, publicKey };
}

export const agreementPair = (scalarHex, isExtractable = true) =>
    pair(scalarHex, 'ECDH', ['deriveBits'], isExtractable);
export const signingPair = (scalarHex, isExtractable = true) =>
    pair(scalarHex, 'ECDSA', ['sign'], isExtractable);

/** The point of a SubjectPublicKeyInfo on P-256. */
export const pointOf = (x509Hex) => fromHexadecimal(x509Hex).slice(-65);
