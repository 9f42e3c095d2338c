// What the person reads when something was refused or failed: what happened, and what to do.

import { shownTime, texts } from './texts.js';

/** Codes whose sentence depends on what the verifier said. */
const sentences = {
    authenticationFailed: ({ attemptsLeft }, withNumber) => [
        withNumber ? texts.wrongPINOrNumber : texts.wrongPIN,
        texts.attemptsLeft(attemptsLeft),
        texts.nothingApproved,
    ].join(' '),
    credentialLocked: ({ lock }) => lock.until === undefined
        ? texts.pinLockedForGood : texts.pinLockedUntil(shownTime(lock.until)),
    deviceWaiting: ({ waitsUntil }) => texts.deviceWaiting(shownTime(waitsUntil)),
    rateLimited: ({ retryAfterSeconds }) => texts.rateLimited(retryAfterSeconds),
    transactionAlreadyDecided: ({ finalState }) => texts.alreadyDecided[finalState],
    storageFailed: ({ reason }) => texts.storage[reason],
    pinPolicy: ({ rule, policy }) => brokenRule(rule, policy),
    unknownResult: ({ cause }) => texts.unknownResult[cause] ?? texts.unknownResult.network,
};

/** The sentence about an answer that is not `done`. */
export function sentence(answer, { withNumber = false } = {}) {
    const ofCode = sentences[answer.code];
    if (ofCode) return ofCode(answer, withNumber);
    return texts.codes[answer.code] ?? texts.unexpected;
}

export function brokenRule(rule, { minimumDigits, maximumDigits }) {
    switch (rule) {
    case 'notDigits': return texts.pinNotDigits;
    case 'tooShort':
    case 'tooLong': return texts.pinLength(minimumDigits, maximumDigits);
    default: return texts.pinTooSimple;
    }
}

const kindTexts = { pinChanged: 'pinChangedElsewhere' };

/** A change of an account by the bank or another device. */
export function changeSentence({ kind, deviceName }, account) {
    const device = deviceName === undefined ? '' : texts.namedDevice(deviceName);
    return texts[kindTexts[kind] ?? kind](account, device);
}
