// Signed requests and responses: docs/protocol/signatures.md.

import { base64, fromBase64, hexadecimal, readOrNothing, require, utf8 } from './bytes.js';
import * as cryptography from './cryptography.js';

const requestList = '("@method" "@target-uri" "content-digest" "content-type")';
const ofRequest =
    '"@method";req "@target-uri";req "content-digest";req "signature-input";req "signature";req';
const responseList = `("@status" "content-digest" "content-type" ${ofRequest})`;
/** A stream has no end, so its head has no digest. */
const streamList = `("@status" "content-type" ${ofRequest})`;

const forms = {
    created: /^(?:0|[1-9][0-9]{0,14})$/,
    keyid: /^"[0-9a-f]{32}"$/,
    tag: /^"countersign-server-1"$/,
};

/**
 * The parts of a request that its response covers.
 * @typedef {{
 *     method: string, target: string, digest: string, type: string, input: string,
 *     signature: string,
 * }} SignedRequest
 */

const digestField = async (body) =>
    `sha-256=:${base64(await cryptography.sha256(body))}:`;

// MARK: Requests

/** The lines that the device signs. `input` is the Signature-Input field. */
export function requestBase({ method, target, digest, type, input }) {
    return signatureBase([
        ['"@method"', method],
        ['"@target-uri"', target],
        ['"content-digest"', digest],
        ['"content-type"', type],
    ], input);
}

export function requestInput({ device, created, nonce }) {
    const parameters = `created=${created};nonce="${nonce}";keyid="${device}"`;
    return `countersign=${requestList};${parameters};tag="countersign-device-1"`;
}

/**
 * Signs a request with a new nonce. `created` is in seconds.
 * @returns {Promise<SignedRequest>}
 */
export async function signedRequest({ method, target, type, body }, { device, key, created }) {
    const nonce = hexadecimal(cryptography.random(16));
    const input = requestInput({ device, created, nonce });
    const request = { method, target, type, digest: await digestField(body), input };
    const signature = await cryptography.sign(key, requestBase(request));
    return { ...request, signature: `countersign=:${base64(signature)}:` };
}

/** @param {SignedRequest} request */
export const requestFields = (request) => ({
    'Content-Type': request.type,
    'Content-Digest': request.digest,
    'Signature-Input': request.input,
    'Signature': request.signature,
});

// MARK: Responses

/**
 * The trusted key that signed the response to this request, or undefined.
 * @param {{ status: number, headers: Headers, body: Uint8Array }} response
 * @param {SignedRequest} request
 * @param {Uint8Array[]} keys
 */
export async function signerOfResponse({ status, headers, body }, request, keys) {
    const expected = await digestField(body);
    return signer(headers, keys, responseList, request, (fields) => {
        require(fields.digest === expected, 'another digest');
        return [
            ['"@status"', String(status)],
            ['"content-digest"', fields.digest],
            ['"content-type"', fields.type],
        ];
    });
}

/** The same for the head of an event stream. */
export function signerOfStream({ status, headers }, request, keys) {
    return signer(headers, keys, streamList, request, (fields) => [
        ['"@status"', String(status)],
        ['"content-type"', fields.type],
    ]);
}

async function signer(headers, keys, list, request, components) {
    const claim = readOrNothing(() => {
        const fields = signatureFields(headers);
        const keyName = parameters(fields.input, list).keyid.slice(1, -1);
        const covered = [...components(fields), ...requestComponents(request)];
        return {
            keyName,
            signature: rawSignature(fields.signature),
            base: signatureBase(covered, fields.input),
        };
    });
    if (!claim) return undefined;
    for (const key of keys) {
        if (await cryptography.nameOfKey(key) !== claim.keyName) continue;
        return await cryptography.isSigned(key, claim.signature, claim.base) ? key : undefined;
    }
    return undefined;
}

const requestComponents = ({ method, target, digest, input, signature }) => [
    ['"@method";req', method],
    ['"@target-uri";req', target],
    ['"content-digest";req', digest],
    ['"signature-input";req', input],
    ['"signature";req', signature],
];

// MARK: Fields

/** The browser joins repeated fields by a comma, so they fit no form below. */
function signatureFields(headers) {
    const value = (field) => headers.get(field) ?? '';
    return {
        type: value('content-type'),
        digest: value('content-digest'),
        input: value('signature-input'),
        signature: value('signature'),
    };
}

/** Each parameter of a response once, in any order, without spaces. */
function parameters(input, list) {
    const start = `countersign=${list};`;
    require(input.startsWith(start), 'other components');
    const found = {};
    for (const part of input.slice(start.length).split(';')) {
        const place = part.indexOf('=');
        const [name, value] = [part.slice(0, place), part.slice(place + 1)];
        require(Object.hasOwn(forms, name) && !Object.hasOwn(found, name), 'another parameter');
        require(forms[name].test(value), 'a malformed parameter');
        found[name] = value;
    }
    require(Object.keys(found).length === Object.keys(forms).length, 'a missing parameter');
    return found;
}

function rawSignature(field) {
    const encoded = /^countersign=:([A-Za-z0-9+/]{86}==):$/.exec(field);
    require(encoded, 'a malformed signature');
    return fromBase64(encoded[1]);
}

function signatureBase(components, input) {
    const lines = components.map(([component, value]) => {
        require(/^[!-~](?:[ -~]*[!-~])?$/.test(value), 'a value that is not on one line');
        return `${component}: ${value}`;
    });
    const parametersText = input.slice('countersign='.length);
    return utf8([...lines, `"@signature-params": ${parametersText}`].join('\n'));
}
