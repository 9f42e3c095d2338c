// Recovery after a crash or a lost response: the device requests the result from the verifier.
//
// The request names the unanswered message, which the verifier then no longer accepts. So the
// result is final.

import { isActive, isSameAccount, unanswered } from './accounts.js';
import { hexadecimal } from './bytes.js';
import { done } from './core.js';
import * as cryptography from './cryptography.js';
import { routes } from './messages.js';
import { fetchStatus, takeOver } from './status.js';

export const newAttempt = () => hexadecimal(cryptography.random(16));

export const meansDeviceIsGone = ({ code }) => ['noAccountActivated', 'deviceRevoked'].includes(code);

/** Recovers all accounts, unless another tab makes a change and so finishes it. */
export async function recover(core) {
    const records = await core.store.accounts();
    if (!records.some(unanswered)) return;
    await core.store.aloneAtOnce(() => recoverAll(core));
}

/** The same inside a change; returns the first failure, or `done`. */
export async function recoverAll(core) {
    let result = done();
    for (const record of await core.store.accounts()) {
        if (!unanswered(record)) continue;
        const one = await recoverOne(core, record);
        if (result.code === 'done') result = one;
    }
    return result;
}

async function recoverOne(core, record) {
    const result = await fetchStatus(core, record, { unanswered: unanswered(record) });
    if (!isActive(record) && meansDeviceIsGone(result)) {
        await core.store.remove([record.device]);
        return done();
    }
    if (result.code !== 'done') return result;
    if (!isActive(record)) {
        if (await isSuperseded(core, record)) {
            await end(core, record);
            return done();
        }
        await endOthers(core, record);
    }
    await takeOver(core, record, result.value, { isFinal: true });
    return done();
}

// MARK: Repeated activations

/** Whether a later activation of the same account is already active. */
async function isSuperseded(core, record) {
    const others = await core.store.accounts();
    return others.some((other) =>
        isActive(other) && isSameAccount(other, record) && other.place > record.place);
}

/**
 * Removes earlier activations of the same account. This happens before the new one becomes active,
 * so that there are never two.
 */
export async function endOthers(core, record) {
    for (const other of await core.store.accounts()) {
        if (isActive(other) && isSameAccount(other, record) && other.place < record.place) {
            await end(core, other);
        }
    }
}

/** If the request is lost, the verifier counts one device too many. */
async function end(core, record) {
    await sendDeletion(core, record);
    await core.store.remove([record.device]);
}

const sendDeletion = (core, record) =>
    core.exchange(routes.deletion, { attempt: newAttempt() }, record);

/** Removes an account from this browser in any case, and from the verifier if it responds. */
export async function remove(core, device) {
    const record = await core.store.account(device);
    if (!record) return { code: 'accountMissing' };
    const isKnownToVerifier = await isGone(core, record)
        || isDeleted(await sendDeletion(core, record));
    await core.store.remove([device]);
    return done({ isKnownToVerifier });
}

const isDeleted = (result) => result.code === 'done' || meansDeviceIsGone(result);

/**
 * Whether the verifier has no device of an unfinished activation. Its status comes first: otherwise
 * the activation could still arrive after the deletion.
 */
const isGone = async (core, record) => !isActive(record)
    && meansDeviceIsGone(await fetchStatus(core, record, { unanswered: unanswered(record) }));
