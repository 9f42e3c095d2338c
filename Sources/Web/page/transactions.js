// Transactions: fetch, show, decide.
//
// The hash that is signed is that of the bytes that the reader showed.

import { isActive, publicAccount } from './accounts.js';
import { decisionQuestion, evidence, reasons } from './codes.js';
import { done, withDevice, withPIN } from './core.js';
import * as cryptography from './cryptography.js';
import { routes } from './messages.js';
import { allowsReturn } from './policy.js';
import { recover } from './recovery.js';
import { refresh } from './status.js';
import { mayBeProcessed } from './transport.js';

/**
 * The content of canonical bytes, as far as this module needs it. The screens show all of it.
 * @typedef {{
 *     enterprise: string, id: string, account: { type: string, id: string },
 *     authentication: string[], created: number, returnAddress: string | null,
 * }} Content
 *
 * The reader of canonical bytes and its check of displayed text.
 * @typedef {{
 *     read: (bytes: Uint8Array) => { content?: Content, refusal?: string },
 *     check: (text: string) => { refusal?: string },
 * }} Reader
 */

/** The device and the hash of each transaction that was shown. */
const signedParts = new WeakMap();
/** Transactions with a decision under way: a second click sends nothing. */
const deciding = new WeakSet();

const overCodes = ['unknownTransaction', 'transactionExpired', 'transactionAlreadyDecided'];
/** The failures of one transaction, and not of its account. */
const unusableCodes = ['transactionNotDisplayable', 'transactionMismatch'];

// MARK: Fetch

/** All pending transactions of all accounts, each once, the oldest first, and the failures. */
export async function pending(core) {
    await recover(core);
    const records = (await core.store.accounts()).filter(isActive);
    const found = await Promise.all(records.map((record) => pendingOf(core, record)));
    const transactions = found.flatMap((one) => one.transactions)
        .filter((transaction, place, all) =>
            all.findIndex((other) => isSameTransaction(other, transaction)) === place);
    transactions.sort((one, other) => one.content.created - other.content.created);
    return done({ transactions, failures: found.flatMap(({ failures }) => failures) });
}

async function pendingOf(core, record) {
    const transactions = [];
    const list = await core.exchange(routes.transactions, {}, record);
    if (list.code !== 'done') {
        return { transactions, failures: [{ ...list, account: publicAccount(record) }] };
    }
    const failures = [];
    for (const id of list.value.transactions) {
        const result = await fetchTransaction(core, record.device, id);
        if (result.code === 'done') transactions.push(result.value);
        else if (!overCodes.includes(result.code)) {
            failures.push({ ...result, account: publicAccount(record), transaction: id });
            // Without a network, for example, the others would fail in the same way.
            if (!unusableCodes.includes(result.code)) break;
        }
    }
    return { transactions, failures };
}

/** After the bank replaced an account, two devices of this browser can have the same one. */
const isSameTransaction = ({ content: one }, { content: other }) =>
    one.id === other.id && one.enterprise === other.enterprise
    && one.account.type === other.account.type && one.account.id === other.account.id;

/** Fetches one transaction. Nothing of it is shown unless all of it can be shown. */
export async function fetchTransaction(core, device, id) {
    const record = await core.store.account(device);
    if (!record || !isActive(record)) return { code: 'accountMissing' };
    const result = await core.exchange(routes.transaction, { transaction: id }, record);
    if (result.code !== 'done') return result;
    const { transaction: bytes, typedDigits } = result.value;
    const hash = await cryptography.sha256(bytes);
    const { content } = core.reader.read(bytes.slice());
    if (!content) return { code: 'transactionNotDisplayable' };
    const fitting = await fittingRecord(core, record, content);
    if (fitting.code !== 'done') return fitting;
    if (!isOf(content, id, fitting.value)) return { code: 'transactionMismatch' };
    return done(shown(fitting.value, content, typedDigits, hash));
}

const isOf = (content, id, record) =>
    content.id === id && content.enterprise === record.enterprise
    && content.account.type === record.account.type && content.account.id === record.account.id;

/** The record after a new status, if the stored account or policy does not fit. */
async function fittingRecord(core, record, content) {
    const { policy, account } = record;
    const fits = content.account.type === account.type && content.account.id === account.id
        && content.authentication.every((type) => policy.authentication.includes(type))
        && (content.returnAddress === null || allowsReturn(record.policy, content.returnAddress));
    if (fits) return done(record);
    const status = await refresh(core, record);
    if (status.code !== 'done') return status;
    const current = await core.store.account(record.device);
    return current ? done(current) : { code: 'accountMissing' };
}

/** A web device has no biometric credential: the PIN and consent are all it offers. */
function shown(record, content, typedDigits, hash) {
    const offered = ['consent', 'userPIN'].filter((type) =>
        content.authentication.includes(type) && record.policy.authentication.includes(type));
    const transaction = Object.freeze({
        account: publicAccount(record),
        content: frozen(content),
        typedDigits,
        authentication: Object.freeze(offered),
        mayReturn: allowsReturn(record.policy, content.returnAddress),
    });
    signedParts.set(transaction, { device: record.device, id: content.id, hash });
    return transaction;
}

/** No code of a screen changes what was shown. */
function frozen(value) {
    if (typeof value !== 'object' || value === null) return value;
    Object.values(value).forEach(frozen);
    return ArrayBuffer.isView(value) ? value : Object.freeze(value);
}

// MARK: Decide

export const approve = (core, transaction, pin, typedNumber) =>
    approveBy(core, transaction, 'userPIN', withPIN(pin), typedNumber);

export const consent = (core, transaction, typedNumber) =>
    approveBy(core, transaction, 'consent', withDevice(), typedNumber);

async function approveBy(core, transaction, type, secret, typedNumber = '') {
    if (!transaction.authentication.includes(type)) return { code: 'authenticationTypeNotAllowed' };
    // A wrong length can only be a typing error, so it costs no attempt.
    const isTyped = /^[0-9]*$/.test(typedNumber)
        && typedNumber.length === (transaction.typedDigits ?? 0);
    if (!isTyped) return { code: 'numberMistyped' };
    return decide(core, transaction, 'approve', { approve: type }, secret, typedNumber);
}

/** A rejection needs no PIN, and works during a temporary lock. */
export async function reject(core, transaction, reason = 'unspecified') {
    if (!reasons.includes(reason)) return { code: 'invalidArgument' };
    return decide(core, transaction, reason, { reject: reason }, withDevice(), '');
}

async function decide(core, transaction, choice, choiceMember, secret, typedNumber) {
    if (deciding.has(transaction)) return { code: 'underWay' };
    deciding.add(transaction);
    try {
        const { device, id, hash } = signedParts.get(transaction);
        const question = decisionQuestion(hash, choice, typedNumber);
        let sender;
        const result = await core.exchangeWithCode(
            routes.decision, device, secret, question,
            async (envelope, record, taken) => {
                sender = record;
                const signed = evidence(device, hash, choice, taken);
                return {
                    transaction: id,
                    choice: choiceMember,
                    evidence: await cryptography.sign(record.key, signed),
                    envelope,
                };
            },
        );
        if (!mayBeProcessed(result)) return result;
        return outcomeOfUnknown(core, sender, id, result);
    } finally {
        deciding.delete(transaction);
    }
}

/**
 * If the verifier decided the transaction, its refusal names the outcome. The record is the one that
 * sent the decision: the storage may be lost since then.
 */
async function outcomeOfUnknown(core, record, id, result) {
    const now = await core.exchange(routes.transaction, { transaction: id }, record);
    return now.code === 'transactionAlreadyDecided' ? now : result;
}
