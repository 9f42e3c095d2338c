// The device as the screens use it. Each result is an object with a `code`. The code is `done`, a
// refusal of the verifier, or a failure of this browser such as `storageFailed`.

import { hasNewChange, isActive, noteSeen, publicAccount } from './accounts.js';
import { claim } from './claim.js';
import { loginQuestion } from './codes.js';
import { Core, done, withPIN } from './core.js';
import * as cryptography from './cryptography.js';
import * as enrolment from './enrolment.js';
import { listen } from './events.js';
import { routes } from './messages.js';
import { changePIN } from './pin-change.js';
import { meansDeviceIsGone, newAttempt, recover, remove } from './recovery.js';
import { refresh } from './status.js';
import { Store, StoreFailure } from './store.js';
import * as transactions from './transactions.js';
import { Transport } from './transport.js';
import { isDeviceName, key, origin } from './values.js';

/** The result of `work`; a failure of the storage is a result too. */
async function resultOf(work) {
    try {
        return await work();
    } catch (error) {
        if (error instanceof StoreFailure) return { code: 'storageFailed', reason: error.reason };
        throw error;
    }
}

export class Device {
    #core;
    #storage;
    /** The end of the recovery that `open` starts. Use cases do not wait for it. */
    recovered;

    constructor(core, storage) {
        this.#core = core;
        this.#storage = storage;
        this.recovered = resultOf(async () => done(await recover(core)));
    }

    /**
     * Opens the stored device, and starts to request the results of unanswered requests.
     * @param {{
     *     verifier: VerifierKeys, fetchVerifier?: () => Promise<VerifierKeys>,
     *     reader: transactions.Reader, argon2: import('./seeds.js').Argon2,
     *     passkeys?: import('./core.js').Passkeys,
     * }} options `fetchVerifier` returns the keys that the verifier has at that time
     */
    static open({
        verifier, fetchVerifier = async () => verifier, reader, argon2, passkeys,
        fetch = (...request) => globalThis.fetch(...request), now = Date.now,
        storage = globalThis.navigator.storage,
    }) {
        return resultOf(async () => {
            const store = await Store.open();
            const known = readVerifier(verifier);
            const clock = await storedClock(store, known);
            const transport = new Transport({ origin: known.origin, fetch, now, clock });
            const core = new Core({
                store, transport, verifier: known, reader, argon2, passkeys,
                fetchVerifier: async () => readVerifier(await fetchVerifier()),
            });
            return done(new Device(core, storage));
        });
    }

    close() {
        this.#core.store.close();
    }

    /** The time of the verifier's clock, as far as this device knows it; in milliseconds. */
    now() {
        return this.#core.transport.now();
    }

    // MARK: Accounts

    /** Checks id and code online. The value is the offer for `commit`. */
    claim(typedID, typedCode, name) {
        return resultOf(() => claim(this.#core, typedID, typedCode, name));
    }

    /** Accepts an offer with a new PIN. */
    commit(offer, pin, options) {
        return resultOf(async () => {
            const result = await enrolment.commit(this.#core, offer, pin, options);
            // The browser may prompt the person. The account works in either case.
            if (result.code === 'done') this.#storage?.persist?.().catch(() => {});
            return result;
        });
    }

    /** The active accounts, in the order of their activation. */
    accounts() {
        return resultOf(async () => done((await this.#active()).map(publicAccount)));
    }

    /** The accounts of activations whose result is unknown. `remove` accepts them too. */
    unfinished() {
        return resultOf(async () => {
            const records = await this.#core.store.accounts();
            return done(records.filter((record) => !isActive(record)).map(publicAccount));
        });
    }

    /** The status of each account, with locks. The account has the policy of now if it is `done`. */
    status() {
        return resultOf(async () => {
            await recover(this.#core);
            return done(await Promise.all((await this.#active()).map(async (record) => {
                const result = await refresh(this.#core, record);
                const current = await this.#core.store.account(record.device) ?? record;
                return { ...result, account: publicAccount(current) };
            })));
        });
    }

    /** Removes an account, here in any case. */
    remove(account) {
        return resultOf(() =>
            this.#core.store.alone(() => remove(this.#core, account.device)));
    }

    /** The changes by the bank or other devices. A name that cannot be shown hides all of them. */
    async changes(account) {
        const result = await this.#exchange(routes.changes, {}, account);
        const names = result.value?.changes.map(({ deviceName }) => deviceName) ?? [];
        const areShown = names.every((name) =>
            name === undefined || isDeviceName(name, this.#core.reader));
        return areShown ? result : { code: 'unknownResult', cause: 'malformed' };
    }

    /**
     * Whether an account has changes that were not noted as seen. A list that fails hides no other: the
     * value is undefined if no other list has new changes. A rejected device has no list.
     */
    hasNewChanges() {
        return resultOf(async () => {
            let areNew = false;
            for (const record of await this.#active()) {
                const result = await this.changes(record);
                if (meansDeviceIsGone(result)) continue;
                const { value } = result;
                if (!value) areNew = undefined;
                else if (hasNewChange(record, value.changes)) return done(true);
            }
            return done(areNew);
        });
    }

    noteSeenChanges(account, changes) {
        return resultOf(async () => done(await this.#core.store.change(account.device, (record) => {
            noteSeen(record, changes);
            return true;
        })));
    }

    // MARK: Transactions

    /** All pending transactions that can be shown, and the failures. */
    pending() {
        return resultOf(() => transactions.pending(this.#core));
    }

    /** One transaction, by the id that a hint names. */
    transaction(account, id) {
        return resultOf(() => transactions.fetchTransaction(this.#core, account.device, id));
    }

    approve(transaction, pin, typedNumber) {
        return resultOf(() => transactions.approve(this.#core, transaction, pin, typedNumber));
    }

    consent(transaction, typedNumber) {
        return resultOf(() => transactions.consent(this.#core, transaction, typedNumber));
    }

    reject(transaction, reason) {
        return resultOf(() => transactions.reject(this.#core, transaction, reason));
    }

    // MARK: The PIN

    /** Logs in over data that the bank wants signed. The value is the id that the bank redeems. */
    logIn(account, data, pin) {
        return resultOf(async () => {
            const dataDigest = await cryptography.sha256(data);
            const result = await this.#core.exchangeWithCode(
                routes.login, account.device, withPIN(pin), loginQuestion(dataDigest),
                (envelope) => ({ dataDigest, type: 'userPIN', envelope }),
            );
            return result.code === 'done' ? done(result.value.login) : result;
        });
    }

    checkPIN(account, pin) {
        return resultOf(() => enrolment.checkPIN(this.#core, account.device, withPIN(pin)));
    }

    /** @param {object[]} [shown] the accounts when the person began to type */
    changePIN(oldPIN, newPIN, shown) {
        return resultOf(() => changePIN(this.#core, oldPIN, newPIN, shown));
    }

    // MARK: Notifications

    /**
     * The account keeps the endpoint of the subscription that the verifier accepted, and the time.
     * @param {{ kind: 'off' | 'events' | 'web', subscription?: object }} setting
     */
    setPush(account, { kind, subscription }) {
        return resultOf(async () => {
            const message = { attempt: newAttempt(), setting: { kind, subscription } };
            const result = await this.#exchange(routes.push, message, account);
            if (result.code !== 'done') return result;
            await this.#core.store.change(account.device, (record) => {
                record.confirmedPush = kind === 'web'
                    ? { endpoint: subscription.endpoint, moment: this.now() } : null;
                return true;
            });
            return result;
        });
    }

    /** Calls `listener` with hints until `stop` of the value. Its `ended` is a result too. */
    events(listener) {
        return resultOf(async () => {
            const { devices, stop, ended } = await listen(this.#core, listener);
            return done({ devices, stop, ended: resultOf(async () => done(await ended)) });
        });
    }

    async #active() {
        return (await this.#core.store.accounts()).filter(isActive);
    }

    #exchange(route, message, account) {
        return resultOf(async () => {
            const record = await this.#core.store.account(account.device);
            if (!record) return { code: 'accountMissing' };
            return this.#core.exchange(route, message, record);
        });
    }
}

/**
 * The keys are in base64url.
 * @typedef {{ origin: string, agreementKey: string, signingKey: string }} VerifierKeys
 * @param {VerifierKeys} verifier
 */
const readVerifier = (verifier) => ({
    origin: origin(verifier.origin),
    agreementKey: key(verifier.agreementKey),
    signingKey: key(verifier.signingKey),
});

/** The offset of this verifier's clock, which survives a restart. */
async function storedClock(store, verifier) {
    const stored = await store.setting('verifier');
    const offset = stored?.origin === verifier.origin ? stored.clockOffset : 0;
    const keep = (clockOffset) => store.setSetting('verifier', { ...verifier, clockOffset });
    return { offset, store: keep };
}
