// Passkeys of this browser. The output of PRF (WebAuthn Level 3, section 10.1.4) is mixed into the
// seeds. So a copied profile computes no right code without the authenticator.

import * as cryptography from './cryptography.js';

const es256 = { type: 'public-key', alg: -7 };

/** Undefined if the person cancels, or if the browser or the authenticator cannot do it. */
async function resultOf(request) {
    try {
        return await request();
    } catch (error) {
        if (error instanceof DOMException) return undefined;
        throw error;
    }
}

const outputOf = (credential) => {
    const first = credential?.getClientExtensionResults().prf?.results?.first;
    return first && new Uint8Array(first);
};

/** Whether the lock of this device can do it, so that the person needs no other device. */
async function areOffered() {
    const can = await PublicKeyCredential.getClientCapabilities?.();
    return can?.['extension:prf'] === true && can.userVerifyingPlatformAuthenticator === true;
}

/** With `isHere`, only the lock of this device counts: no other device, and no security key. */
async function create(salt, { isHere }) {
    const credential = await resultOf(() => navigator.credentials.create({
        publicKey: {
            challenge: cryptography.random(32),
            rp: { name: 'Countersign' },
            user: { id: cryptography.random(16), name: 'Countersign', displayName: 'Countersign' },
            pubKeyCredParams: [es256],
            authenticatorSelection: {
                residentKey: 'discouraged',
                userVerification: 'required',
                ...(isHere && { authenticatorAttachment: 'platform' }),
            },
            extensions: { prf: { eval: { first: salt } } },
        },
    }));
    if (!credential) return undefined;
    const id = new Uint8Array(credential.rawId);
    if (!credential.getClientExtensionResults().prf?.enabled) return { id };
    // Some authenticators evaluate only in a second step.
    const output = outputOf(credential) ?? await evaluate(id, salt);
    return output && { id, output };
}

async function evaluate(id, salt) {
    return outputOf(await resultOf(() => navigator.credentials.get({
        publicKey: {
            challenge: cryptography.random(32),
            allowCredentials: [{ type: 'public-key', id }],
            userVerification: 'required',
            extensions: { prf: { eval: { first: salt } } },
        },
    })));
}

/** @type {import('./core.js').Passkeys | undefined} */
export const passkeys = globalThis.PublicKeyCredential && { areOffered, create, evaluate };
