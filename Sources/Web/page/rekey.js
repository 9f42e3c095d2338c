// Rekeys: docs/protocol/activation.md.
// A change of the PIN replaces the seed of the user credential.

import { FieldWriter, fromHexadecimal, joined } from './bytes.js';
import { rekeyMixingKey, rekeyQuestion } from './codes.js';
import * as cryptography from './cryptography.js';
import { credentialForm } from './values.js';

/**
 * @typedef {{
 *     authority: import('./values.js').Credential, credential: import('./values.js').Credential,
 *     ephemeralKey: Uint8Array, serverKey: string,
 * }} Proposal
 */

/** @param {Proposal} proposal */
function proposalForm({ authority, credential, ephemeralKey, serverKey }) {
    return new FieldWriter('countersign rekey-proposal 1')
        .raw(credentialForm(authority))
        .raw(credentialForm(credential))
        .field(ephemeralKey)
        .field(fromHexadecimal(serverKey))
        .bytes;
}

/**
 * Seals a new seed. Both the old seed and the agreement of keys are needed to open it.
 * @param {Proposal} proposal
 * @param {CryptoKey} ephemeralKey
 * @param {Uint8Array} serverKey
 */
export async function sealedProposal(
    proposal, ephemeralKey, serverKey, oldSeed, newSeed, nonce = cryptography.random(12),
) {
    const form = proposalForm(proposal);
    const agreed = await cryptography.agreed(ephemeralKey, serverKey);
    const mixed = await rekeyMixingKey(oldSeed, proposal.authority);
    const input = joined(agreed, mixed);
    const secret = await cryptography.extract(await cryptography.sha256(form), input);
    const label = new FieldWriter('countersign rekey-seed-key 1').bytes;
    const key = await cryptography.expand(secret, label);
    try {
        return await cryptography.seal(key, nonce, newSeed, form);
    } finally {
        for (const bytes of [agreed, mixed, input, secret, key]) bytes.fill(0);
    }
}

/** The question of the code that authorizes a rekey. */
export async function questionOfRekey(proposal, sealed) {
    const transcript = new FieldWriter('countersign rekey-transcript 1')
        .field(proposalForm(proposal)).field(sealed.slice(0, 12)).field(sealed.slice(12));
    return rekeyQuestion(await cryptography.sha256(transcript.bytes));
}
