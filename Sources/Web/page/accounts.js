// The stored record of an account, and its moves. These functions decide, and store nothing.
//
// Nothing in a record depends on the PIN (SEC-116).

import { areEqual } from './bytes.js';

/** How far one side's counter may be ahead of the other's. */
const reach = 1n << 20n;
const lastCounter = (1n << 63n) - 1n;

/** The member of a record that has the credential of a kind. */
const memberOfKind = { user: 'user', device: 'deviceCredential' };

/**
 * @typedef {{ generation: bigint, epoch: bigint, minimumCounter: bigint }} Position
 * @typedef {{
 *     id: string, counter: bigint, epoch: bigint,
 *     ingredients: import('./seeds.js').Ingredients,
 *     proposed: import('./seeds.js').Ingredients | null,
 * }} CredentialRecord
 */

export const newCredential = (id, epoch, ingredients) =>
    ({ id, counter: 0n, epoch, ingredients, proposed: null });

/** @returns {CredentialRecord | undefined} */
export const credentialOfKind = (record, kind) => record[memberOfKind[kind]];

/** The credential with its current generation. */
export function credentialIn(record, kind) {
    const { id, ingredients } = credentialOfKind(record, kind);
    return { enterprise: record.enterprise, id, kind, generation: ingredients.generation };
}

export const isActive = (record) => record.state === 'active';

export const publicAccount = (record) => ({
    device: record.device,
    enterprise: record.enterprise,
    type: record.account.type,
    id: record.account.id,
    policy: record.policy,
    awaitsPINChange: record.awaitsPINChange,
    confirmedPush: record.confirmedPush,
    /** Another generation has another PIN. */
    pinGeneration: String(record.user.ingredients.generation),
});

/**
 * The accounts that still have the old PIN. A change starts with the first account, which is also
 * marked first. If the first account is still marked, the change has not started.
 * @param {{ awaitsPINChange: boolean }[]} accounts
 */
export const leftByEarlierChange = (accounts) =>
    accounts[0]?.awaitsPINChange ? [] : accounts.filter(({ awaitsPINChange }) => awaitsPINChange);

export const isSameAccount = (one, other) =>
    one.enterprise === other.enterprise && one.account.type === other.account.type
    && one.account.id === other.account.id;

// MARK: Changes

/** A change by the bank or another device, as the record keeps it. */
const nameOfChange = ({ moment, kind, deviceName, account }) =>
    JSON.stringify([moment, kind, deviceName, account]);

/** Whether the list has changes that no screen showed. Clocks of nodes differ, so times do not count. */
export const hasNewChange = ({ seenChanges = [] }, changes) =>
    changes.some((change) => !seenChanges.includes(nameOfChange(change)));

/** The verifier lists a limited number, so the earlier ones need not be kept. */
export function noteSeen(record, changes) {
    record.seenChanges = changes.map(nameOfChange);
}

// MARK: Counters

/**
 * Moves forward to the verifier's position. False if its generation is unknown here, or if it is
 * out of reach. Then nothing changes: no response can use up the counters of this device.
 * @param {CredentialRecord} credential
 * @param {Position} position
 */
function synchronize(credential, position) {
    if (!isWithinReach(credential, position)) return false;
    if (credential.proposed?.generation === position.generation) {
        credential.ingredients = credential.proposed;
        credential.proposed = null;
    }
    if (credential.ingredients.generation !== position.generation) return false;
    if (position.minimumCounter > credential.counter) {
        credential.counter = position.minimumCounter;
    }
    if (position.epoch > credential.epoch) credential.epoch = position.epoch;
    return true;
}

/** Moves the credential of a kind in its record. */
export function synchronizeRecord(record, kind, position) {
    const held = credentialOfKind(record, kind);
    if (held.proposed?.generation === position.generation) record.awaitsPINChange = false;
    return synchronize(held, position);
}

export const isWithinReach = ({ counter }, { minimumCounter }) => minimumCounter <= counter + reach;

/**
 * Takes the next counter. Undefined if none is left, or if the credential has another generation
 * than the seed, because another tab changed the PIN.
 */
export function takeCounter(record, kind, generation) {
    const held = credentialOfKind(record, kind);
    if (held.ingredients.generation !== generation || held.counter >= lastCounter) {
        return undefined;
    }
    const taken = {
        credential: credentialIn(record, kind), epoch: held.epoch, counter: held.counter,
    };
    held.counter += 1n;
    return taken;
}

// MARK: The status

/** The request whose result is unknown, as a member of a status request. */
export function unanswered(record) {
    if (!isActive(record)) return { commit: record.commit };
    if (record.user.proposed) return { codesBelow: record.user.counter };
    return undefined;
}

const shown = (record, status) => status.credentials.flatMap((credential) => {
    const held = credentialOfKind(record, credential.kind);
    return held?.id === credential.id ? [{ held, ...credential }] : [];
});

/** Whether no position of the status is too far ahead of this device. */
export const isStatusWithinReach = (record, status) =>
    shown(record, status).every(({ held, position }) => isWithinReach(held, position));

/**
 * Updates the record from a status that is within reach.
 * @param {Uint8Array | undefined} agreementKey an announced key that the trusted key signed
 */
export function takeStatus(record, status, agreementKey) {
    record.state = 'active';
    record.commit = null;
    record.account = status.account;
    record.policy = status.policy;
    const { nextServerKey } = status;
    // One of several servers may not have the announcement yet, so a missing key removes nothing.
    if (nextServerKey && !areEqual(nextServerKey, record.signingKey)) {
        record.nextSigningKey = nextServerKey;
    }
    if (agreementKey) record.agreementKey = agreementKey;
    for (const { kind, position } of shown(record, status)) {
        synchronizeRecord(record, kind, position);
    }
}
