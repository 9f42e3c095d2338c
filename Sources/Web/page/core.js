// The parts that the use cases share: the stored accounts, the verifier, and the seeds.

import {
    credentialIn, credentialOfKind, isWithinReach, synchronizeRecord, takeCounter, unanswered,
} from './accounts.js';
import { areKnown } from './announcements.js';
import { areEqual, hexadecimal, noBytes } from './bytes.js';
import { envelope } from './codes.js';
import * as cryptography from './cryptography.js';
import { deriveSeed, pinFactor } from './seeds.js';
import { refresh } from './status.js';
import { StoreFailure } from './store.js';

/**
 * The inputs of a seed that are not stored: the PIN, or nothing for the device credential, and the
 * outputs of passkeys. With a generation, no code of another generation is computed.
 * @typedef {{
 *     kind: 'user' | 'device', pin?: string, generation?: bigint, outputs: Map<string, Uint8Array>,
 * }} Secret
 *
 * A passkey whose WebAuthn PRF output is mixed into the seeds. `create` and `evaluate` return nothing
 * if the person cancels or the browser cannot do it. A new passkey has no output if its authenticator
 * has no PRF.
 * @typedef {{
 *     areOffered: () => Promise<boolean>,
 *     create: (salt: Uint8Array, options: { isHere: boolean })
 *         => Promise<{ id: Uint8Array, output?: Uint8Array } | undefined>,
 *     evaluate: (id: Uint8Array, salt: Uint8Array) => Promise<Uint8Array | undefined>,
 * }} Passkeys
 */

/**
 * Secrets with the same `outputs` prompt the person once for each passkey.
 * @param {string} pin
 * @param {{ generation?: bigint, outputs?: Map<string, Uint8Array> }} [members]
 * @returns {Secret}
 */
export const withPIN = (pin, { generation, outputs = new Map() } = {}) =>
    ({ kind: 'user', pin, generation, outputs });

/** @returns {Secret} */
export const withDevice = () => ({ kind: 'device', outputs: new Map() });

export const done = (value) => ({ code: 'done', value });

export class Core {
    /** The announced keys for which each device requested its status. */
    #requestedKeys = new Map();

    constructor({ store, transport, verifier, fetchVerifier, reader, argon2, passkeys }) {
        this.store = store;
        this.transport = transport;
        this.verifier = verifier;
        this.fetchVerifier = fetchVerifier;
        this.reader = reader;
        this.argon2 = argon2;
        this.passkeys = passkeys;
    }

    /** Sends a message that is signed by the key of this account. */
    exchange(route, message, record) {
        return this.transport.exchange(route, message, this.peer(record));
    }

    peer(record) {
        const { device, key, signingKey, nextSigningKey } = record;
        const serverKeys = nextSigningKey ? [signingKey, nextSigningKey] : [signingKey];
        return {
            device, key, serverKeys,
            onSigner: (signer) => this.#promote(signer, record),
            onAnnouncement: (names) => this.#learn(names, device),
        };
    }

    /**
     * Requests the status if the verifier announces a key that the account does not have. Only once
     * for each announcement, also after a failure: its sender may be an attacker. The next page that
     * is loaded requests it again.
     */
    async #learn(names, device) {
        if (this.#requestedKeys.get(device) === names) return;
        try {
            const record = await this.store.account(device);
            // The result of its last message comes first.
            if (!record || unanswered(record)) return;
            const { signingKey, nextSigningKey, agreementKey } = record;
            const keys = [signingKey, nextSigningKey, agreementKey].filter((key) => key);
            if (await areKnown(names, keys)) return;
            this.#requestedKeys.set(device, names);
            await refresh(this, record);
        } catch (error) {
            // The keys are not urgent: the response counts.
            if (!(error instanceof StoreFailure)) throw error;
        }
    }

    /** Replaces the verifier's key by the announced one, after the verifier has used it. */
    async #promote(signer, { device, nextSigningKey }) {
        if (!nextSigningKey || !areEqual(signer, nextSigningKey)) return;
        try {
            await this.store.change(device, (record) => {
                const next = record.nextSigningKey;
                if (!next || !areEqual(signer, next)) return undefined;
                record.signingKey = signer;
                record.nextSigningKey = null;
                return true;
            });
        } catch (error) {
            // The response counts. The next one with this key replaces the key.
            if (!(error instanceof StoreFailure)) throw error;
        }
    }

    /** The key that every seed of this browser needs; made once. */
    async newStoreKey() {
        return this.store.settingOrNew('storeKey', await cryptography.newMACKey());
    }

    async storeKey() {
        const key = await this.store.setting('storeKey');
        if (!key) throw new StoreFailure('wiped');
        return key;
    }

    // MARK: Seeds

    /**
     * The seed of these ingredients, or a refusal.
     * @param {import('./values.js').Credential} credential
     * @param {import('./seeds.js').Ingredients} ingredients
     * @param {Secret} secret
     */
    async seed(record, credential, ingredients, secret) {
        // No policy allows another PIN, so this can only be a typing error.
        if (secret.kind === 'user' && !/^[0-9]{4,12}$/.test(secret.pin)) {
            return { code: 'pinMistyped' };
        }
        const passkeyOutput = await this.passkeyOutput(record.passkey, secret.outputs);
        if (!passkeyOutput) return { code: 'passkeyFailed' };
        const key = await this.storeKey();
        return done(await this.derive(key, credential, ingredients, secret, passkeyOutput));
    }

    async derive(storeKey, credential, ingredients, secret, passkeyOutput) {
        const { share, salt, factor } = ingredients;
        if (secret.kind === 'device') {
            return deriveSeed(storeKey, credential, share, factor, passkeyOutput);
        }
        const stretched = await pinFactor(secret.pin, salt, this.argon2);
        try {
            return await deriveSeed(storeKey, credential, share, stretched, passkeyOutput);
        } finally {
            stretched.fill(0);
        }
    }

    /** No bytes without a passkey; undefined if the passkey fails. */
    async passkeyOutput(passkey, outputs) {
        if (!passkey) return noBytes;
        const name = hexadecimal(passkey.id);
        if (!outputs.has(name)) {
            const output = await this.passkeys?.evaluate(passkey.id, passkey.salt);
            if (output) outputs.set(name, output);
        }
        return outputs.get(name);
    }

    // MARK: Codes

    /**
     * Sends a request with a code, and once more if the counters of device and verifier differ.
     * The used counter is on the disk before the code is computed (SEC-115).
     * @param {Secret} secret
     * @param {import('./codes.js').Question} question
     * @param {(envelope: object, record: object) => object | Promise<object>} message
     */
    async exchangeWithCode(route, device, secret, question, message) {
        let position;
        for (;;) {
            const prepared = await this.#code(device, secret, question, position);
            if (prepared.code !== 'done') return prepared;
            const { record, taken, envelope: sent } = prepared.value;
            const result = await this.exchange(route, await message(sent, record, taken), record);
            if (result.code !== 'counterOutOfStep' || position) return result;
            position = result.position;
        }
    }

    /** A code for the next counter, or for the counter that the verifier expects. */
    async #code(device, secret, question, position) {
        const record = await this.store.account(device);
        if (!record) return { code: 'accountMissing' };
        const { kind, generation } = secret;
        const refusal = position && refusalOf(position, record, kind, generation);
        if (refusal) return { code: refusal };
        const credential = credentialIn(record, kind);
        const { ingredients } = credentialOfKind(record, kind);
        const derived = await this.seed(record, credential, ingredients, secret);
        if (derived.code !== 'done') return derived;
        const seed = derived.value;
        try {
            const taken = await this.store.change(device, (current) => {
                if (position) synchronizeRecord(current, kind, position);
                return takeCounter(current, kind, credential.generation);
            });
            if (!taken) return { code: 'counterOutOfStep' };
            return done({ record, taken, envelope: await envelope(seed, taken, question) });
        } finally {
            seed.fill(0);
        }
    }
}

/** Moves the record to the verifier's position, or names the reason why it cannot. */
function refusalOf(position, record, kind, generation) {
    const held = credentialOfKind(record, kind);
    if (!isWithinReach(held, position)) return 'counterOutOfStep';
    const isOther = generation !== undefined && position.generation !== generation;
    if (isOther || !synchronizeRecord(record, kind, position)) return 'seedReplaced';
    return undefined;
}
