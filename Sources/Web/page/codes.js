// In-band codes and evidence: docs/protocol/codes.md. A web device makes no typed codes (SEC-113).

import { FieldWriter, fromHexadecimal, hexadecimal, joined, require, utf8 } from './bytes.js';
import * as cryptography from './cryptography.js';
import { credentialForm, identifier } from './values.js';

const suite = utf8('OCRA-1:HOTP-SHA256-0:C-QH64\0');

const choices = {
    approve: 0xa5,
    unspecified: 0x5a,
    notMe: 0x59,
    wrongDetails: 0x56,
    noLongerWanted: 0x6a,
};

/** The reasons of a rejection. */
export const reasons = Object.keys(choices).filter((choice) => choice !== 'approve');

function choiceByte(choice) {
    require(Object.hasOwn(choices, choice), 'an unknown choice');
    return choices[choice];
}

function hash(bytes) {
    require(bytes.length === 32, 'not a hash');
    return bytes;
}

// MARK: Subkeys

function requireSeed(seed) {
    require(seed.length === 32, 'a seed of another length');
}

/** A key for one use of a seed. */
async function subkey(seed, label, credential) {
    requireSeed(seed);
    const info = joined(new FieldWriter(label).bytes, credentialForm(credential));
    return cryptography.expand(seed, info);
}

/** The key that is mixed into the key of a rekey. */
export const rekeyMixingKey = (seed, credential) =>
    subkey(seed, 'countersign rekey-mixing-key 1', credential);

// MARK: Questions

/** @typedef {{ label: string, body: Uint8Array }} Question */

/** A decision over the hash of canonical bytes; the typed number is empty in a rejection. */
export function decisionQuestion(transactionHash, choice, typedNumber = '') {
    require(/^(?:[0-9]{2}|[0-9]{6})?$/.test(typedNumber), 'not a typed number');
    const body = new FieldWriter()
        .field(hash(transactionHash)).byte(choiceByte(choice)).text(typedNumber);
    return { label: 'countersign decision 1', body: body.bytes };
}

const overHash = (label, digest) =>
    ({ label, body: new FieldWriter().field(hash(digest)).bytes });

export const loginQuestion = (digest) => overHash('countersign login 1', digest);
export const rekeyQuestion = (transcript) => overHash('countersign rekey 1', transcript);
export const pinCheckQuestion = () =>
    ({ label: 'countersign pin-check 1', body: new Uint8Array(0) });

/** The 32 bytes that a code is over. @param {Question} question */
export function challenge(question, credential, epoch) {
    const form = new FieldWriter(question.label)
        .raw(credentialForm(credential)).number(epoch).raw(question.body);
    return cryptography.sha256(form.bytes);
}

// MARK: Codes

/** The whole MAC, in hexadecimal. */
export async function inBandCode(seed, credential, epoch, counter, question) {
    const key = await subkey(seed, 'countersign ocra-key 1', credential);
    const asked = await challenge(question, credential, epoch);
    const message = new FieldWriter()
        .raw(suite).number(counter).raw(asked).raw(new Uint8Array(96));
    return hexadecimal(await cryptography.mac(key, message.bytes));
}

/**
 * A code with a new attempt id, as the members of a message.
 * @param {{ credential: import('./values.js').Credential, epoch: bigint, counter: bigint }} taken
 */
export async function envelope(seed, { credential, epoch, counter }, question) {
    return {
        attempt: hexadecimal(cryptography.random(16)),
        generation: credential.generation,
        epoch,
        counter,
        code: await inBandCode(seed, credential, epoch, counter, question),
        blind: cryptography.random(16),
    };
}

// MARK: Evidence

/** The bytes that the device key signs for a decision. */
export function evidence(device, transactionHash, choice, { credential, epoch, counter }) {
    return new FieldWriter('countersign decision-evidence 1')
        .raw(fromHexadecimal(identifier(device)))
        .field(hash(transactionHash))
        .byte(choiceByte(choice))
        .text(credential.kind)
        .number(credential.generation)
        .number(epoch)
        .number(counter)
        .bytes;
}
