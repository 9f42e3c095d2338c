// What the person reads when something was refused or failed: what happened, and what to do.

import { shownTime, texts } from './texts.js';

/**
 * The use of an answer: the input that it rejects, and the decision about a request. A login, a change
 * of the PIN and an activation are not decisions.
 * @typedef {{
 *     input?: 'pin' | 'pinOrNumber' | 'number' | 'none', decision?: 'approval' | 'rejection',
 *     takesPIN?: boolean,
 * }} Context
 */

/** Codes whose sentence depends on what the verifier said. */
const sentences = {
    authenticationFailed: ({ attemptsLeft }, { input, decision }) => joined(
        texts[wrongInputs[input]],
        texts.attemptsLeft(attemptsLeft),
        attemptsLeft === 1 && texts.lastAttempt[input],
        decision && texts.nothingApproved,
    ),
    otherNewPIN: ({ attemptsLeft }) => joined(
        texts.otherNewPIN,
        texts.attemptsLeft(attemptsLeft),
        attemptsLeft === 1 && texts.lastAttempt.pin,
    ),
    authenticationTypeNotAllowed: (_, { input, takesPIN }) => takesPIN && !isOfPIN(input)
        ? texts.consentNotAllowed : texts.codes.authenticationTypeNotAllowed,
    credentialLocked: ({ lock }, context) => locked(lock.until, context),
    deviceWaiting: ({ waitsUntil }) => texts.deviceWaiting(shownTime(waitsUntil)),
    rateLimited: ({ retryAfterSeconds }) => texts.rateLimited(retryAfterSeconds),
    transactionAlreadyDecided: ({ finalState }) => texts.alreadyDecided[finalState],
    storageFailed: ({ reason }, { decision }) => joined(
        texts.storage[reason],
        decision && ['full', 'failed'].includes(reason) && texts.nothingApproved,
    ),
    pinPolicy: ({ rule, policy }) => brokenRule(rule, policy),
    activationUnfinished: ({ recovery }) => joined(sentence(recovery), texts.activationUnfinished),
    unknownResult: ({ cause }) => texts.unknownResult[cause] ?? texts.unknownResult.network,
};

const wrongInputs = {
    pin: 'wrongPIN', pinOrNumber: 'wrongPINOrNumber', number: 'wrongNumber', none: 'notAccepted',
};

const isOfPIN = (input) => ['pin', 'pinOrNumber'].includes(input);

/** The lock of the PIN, or of approvals without one. The device can reject until a lock is permanent. */
function locked(until, { input, decision, takesPIN }) {
    if (until === undefined) {
        return isOfPIN(input) ? texts.pinLockedForGood : texts.deviceLockedForGood;
    }
    const end = shownTime(until);
    if (isOfPIN(input)) return joined(texts.pinLockedUntil(end), decision && texts.canStillReject);
    return texts.consentLockedUntil(end, takesPIN);
}

/** The sentences that are there. */
export const joined = (...parts) => parts.filter((part) => part).join(' ');

/**
 * The sentence about an answer that is not `done`.
 * @param {Context} context
 */
export function sentence(answer, { input = 'pin', ...context } = {}) {
    const ofCode = sentences[answer.code];
    if (ofCode) return ofCode(answer, { input, ...context });
    return texts.codes[answer.code] ?? texts.unexpected;
}

export function brokenRule(rule, { minimumDigits, maximumDigits }) {
    switch (rule) {
    case 'notDigits': return texts.pinNotDigits;
    case 'tooShort':
    case 'tooLong': return texts.pinLength(minimumDigits, maximumDigits);
    case 'samePIN': return texts.samePIN;
    default: return texts.pinTooSimple;
    }
}

const kindTexts = { pinChanged: 'pinChangedElsewhere' };

/** A change of an account by the bank or another device. */
export function changeSentence({ kind, deviceName }, account) {
    const device = deviceName === undefined ? '' : texts.namedDevice(deviceName);
    return texts[kindTexts[kind] ?? kind](account, device);
}
