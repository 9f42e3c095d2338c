// The JSON of requests and responses: docs/protocol/messages.md.

import { base64url, fromBase64url, require, utf8 } from './bytes.js';
import { readOffer } from './activation.js';
import {
    bodyLimits, boolean, either, listOf, members, oneOf, optional, readJSON, text, whole,
} from './json.js';
import { readPolicy } from './policy.js';
import { binary, decimal, deviceName, identifier, key, kinds, name } from './values.js';

const time = whole(Number.MAX_SAFE_INTEGER);
const account = members({ type: text(name), id: text(name) });

export const position = members({
    generation: text(decimal), epoch: text(decimal), minimumCounter: text(decimal),
});

const never = (value) => {
    require(value === true, 'not true');
    return value;
};

/** The end of a lock. */
export const lock = either(members({ until: time }), members({ never }));

// MARK: Routes

/**
 * @typedef {{
 *     path: string, response: import('./json.js').Form, limits?: typeof bodyLimits,
 * }} Route
 */

const nothing = members({});

const route = (path, response, limits = bodyLimits) =>
    ({ path: `/device/v1/${path}`, response, limits });

const offer = text((encoded) => {
    const bytes = fromBase64url(encoded);
    readOffer(bytes);
    return bytes;
});

const outcomes = listOf(oneOf('enrolled', 'tooManyDevices', 'accountReplaced'));

const changeKinds = [
    'activationIssued', 'deviceActivated', 'deviceRevoked', 'accountLinked', 'accountReplaced',
    'pinChanged', 'locked',
];

export const routes = {
    claim: route('activation/claim', members({ offer, mac: text(binary(32)) })),
    commit: route('activation/commit', members({ outcomes, receipt: text(binary(32)) })),
    status: route('status', members({
        account,
        credentials: listOf(members({
            id: text(identifier),
            kind: oneOf(...kinds),
            position,
            isEnabled: boolean,
            lock: optional(lock),
        })),
        policy: text((encoded) => readPolicy(fromBase64url(encoded))),
        nextServerKey: optional(text(key)),
        nextAgreementKey: optional(members({ key: text(key), signature: text(binary(64)) })),
    })),
    transactions: route('transactions', members({ transactions: listOf(text(name)) })),
    transaction: route(
        'transaction',
        members({
            transaction: text(fromBase64url),
            typedDigits: optional((count) => {
                require(count === 2 || count === 6, 'another number of digits');
                return count;
            }),
        }),
        { bytes: 90_112, depth: 4, values: 16 },
    ),
    decision: route('decision', nothing),
    login: route('login', members({ login: text(name) })),
    pinCheck: route('pin-check', nothing),
    rekey: route('rekey', nothing),
    push: route('push', nothing),
    events: route('events', nothing),
    deletion: route('deletion', nothing),
    changes: route('account/changes', members({
        changes: listOf(members({
            kind: oneOf(...changeKinds),
            moment: time,
            deviceName: optional(text(deviceName)),
            account: optional(account),
        })),
    })),
};

/** Writes bytes as base64url and 64-bit numbers as decimal texts. */
export function written(message) {
    return utf8(JSON.stringify(message, (_, value) => {
        if (value instanceof Uint8Array) return base64url(value);
        return typeof value === 'bigint' ? value.toString() : value;
    }));
}

// MARK: Refusals

const codePrefix = 'urn:countersign:';

const retryAfterSeconds = whole(2 ** 32 - 1);
const finalState = oneOf('approved', 'rejected', 'withdrawn', 'void');

/** The status and the further member of each refusal. */
const refusals = {
    invalidArgument: [400, {}],
    noAccountActivated: [401, {}],
    clockSkew: [401, { serverTime: time }],
    deviceRevoked: [403, {}],
    activationCodeInvalid: [403, {}],
    authenticationTypeNotAllowed: [403, {}],
    amountAboveCeiling: [403, {}],
    deviceWaiting: [403, { waitsUntil: time }],
    authenticationFailed: [403, { attemptsLeft: whole(255) }],
    unknownTransaction: [404, {}],
    accountAlreadyActivated: [409, {}],
    transactionAlreadyDecided: [409, { finalState }],
    counterOutOfStep: [409, { position }],
    activationCodeExpired: [410, {}],
    transactionExpired: [410, {}],
    upgradeRequired: [410, {}],
    credentialLocked: [423, { lock }],
    rateLimited: [429, { retryAfterSeconds }],
    serverUnavailable: [503, {}],
};

const title = text((sentence) => {
    require(utf8(sentence).length <= 512, 'a long title');
    return sentence;
});

/** The code of a refusal with its further member. */
export function readProblem(bytes) {
    const value = readJSON(bytes);
    const type = value instanceof Map ? value.get('type') : undefined;
    require(typeof type === 'string' && type.startsWith(codePrefix), 'another type');
    const code = type.slice(codePrefix.length);
    require(Object.hasOwn(refusals, code), 'an unknown code');
    const [expectedStatus, details] = refusals[code];
    const problem = members({ type: oneOf(type), title, status: whole(599), ...details })(value);
    require(problem.status === expectedStatus, 'another status');
    delete problem.type;
    delete problem.title;
    return { ...problem, code };
}

// MARK: Hints

const hintLimits = { bytes: 4_096, depth: 4, values: 16 };

/** A hint of a transaction. It proves nothing. */
export function readPush(bytes) {
    const push = members({
        sa_transaction_id: text(name), account_id: text(name), account_type: text(name),
    })(readJSON(bytes, hintLimits));
    return {
        transaction: push.sa_transaction_id,
        account: { type: push.account_type, id: push.account_id },
    };
}

/** A hint of a change of the account. */
export function readChangeHint(bytes) {
    const hint = members({ account_id: text(name), account_type: text(name) })(
        readJSON(bytes, hintLimits),
    );
    return { account: { type: hint.account_type, id: hint.account_id } };
}
