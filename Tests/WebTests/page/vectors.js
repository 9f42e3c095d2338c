// Every case of the protocol's vectors that concerns a web device, through the page's own code.

import {
    ActivationSession, EnrolmentSession, readActivationCode, readActivationID, readOffer,
} from '/approve/activation.js';
import {
    Malformed, areEqual, fromBase64, fromHexadecimal, hexadecimal, require, utf8,
} from '/approve/bytes.js';
import * as codes from '/approve/codes.js';
import * as cryptography from '/approve/cryptography.js';
import { readJSON } from '/approve/json.js';
import { readProblem, readPush, routes, written } from '/approve/messages.js';
import { readPolicy } from '/approve/policy.js';
import { questionOfRekey, sealedProposal } from '/approve/rekey.js';
import {
    requestBase, requestFields, requestInput, signerOfResponse,
} from '/approve/signatures.js';
import { decimal } from '/approve/values.js';
import { agreementPair, pointOf, signingPair } from './keys.js';
import { contentOf } from './reader.js';
import { requests } from './requests.js';
import { offerMAC, sessionOf } from './verifier.js';

const message = (path, body) => requests[path](readJSON(utf8(body)));
const typeKinds = { consent: 'device', userPIN: 'user', biometric: 'biometric' };

/** The seed in a sealed one: sealing zeros shows the key stream, and sealing it again the tag. */
async function opened(sealed, seal) {
    const stream = await seal(new Uint8Array(32));
    const seed = sealed.slice(12, 44).map((byte, at) => byte ^ stream[12 + at]);
    require(areEqual(await seal(seed), sealed), 'another tag');
    return seed;
}

const checks = {
    'activation-code': async ({ typed }) => {
        const random = await readActivationCode(typed);
        const plain = typed.replace(/[- ]/g, '').toUpperCase();
        const whole = random + plain.slice(18).replace(/[IL]/g, '1').replace(/O/g, '0');
        return { code: whole.match(/.{5}/g).join('-') };
    },

    'device-policy': async ({ policy_hex }) => {
        const policy = readPolicy(fromHexadecimal(policy_hex));
        return {
            minimum_digits: policy.minimumDigits,
            maximum_digits: policy.maximumDigits,
            authentication: policy.authentication,
            return_addresses: policy.returnAddresses,
        };
    },

    'activation': activation,

    'device-message': async ({ message: name, body }) => {
        const bytes = utf8(body);
        if (name === 'problem') return void readProblem(bytes);
        const [path, direction] = name.split(' ');
        if (direction === 'response') {
            const all = Object.values(routes);
            const route = all.find((one) => one.path === `/device/v1/${path}`);
            // A web device removes no biometric credential; every empty response is alike.
            const { response, limits } = route ?? routes.deletion;
            return void response(readJSON(bytes, limits));
        }
        const value = requests[path](readJSON(bytes));
        // The page writes what its strict reader reads.
        const again = requests[path](readJSON(written(value)));
        require(areEqual(written(again), written(value)), 'written in another way');
        return undefined;
    },

    'in-band-code': async (c) => {
        const credential = {
            enterprise: c.enterprise, id: c.credential, kind: c.kind,
            generation: decimal(c.generation),
        };
        const [epoch, counter] = [decimal(c.epoch), decimal(c.counter)];
        const question = questionOf(c);
        const seed = fromHexadecimal(c.seed_hex);
        return {
            question: hexadecimal(await codes.challenge(question, credential, epoch)),
            code: await codes.inBandCode(seed, credential, epoch, counter, question),
        };
    },

    'decision': decision,

    'push-payload': async ({ payload_hex }) => {
        const { transaction, account } = readPush(fromHexadecimal(payload_hex));
        return { transaction, account_id: account.id, account_type: account.type };
    },

    'rekey': rekey,
    'signed-request': signedRequest,
    'signed-response': signedResponse,
};

function questionOf({ purpose, transaction_hash_hex, choice, typed_number, digest_hex }) {
    switch (purpose) {
    case 'decision':
        return codes.decisionQuestion(fromHexadecimal(transaction_hash_hex), choice, typed_number);
    case 'login': return codes.loginQuestion(fromHexadecimal(digest_hex));
    case 'rekey': return codes.rekeyQuestion(fromHexadecimal(digest_hex));
    case 'pin-check': return codes.pinCheckQuestion();
    default: throw new Malformed('a purpose that no function has');
    }
}

async function activation(c) {
    const server = await agreementPair(c.server_scalar_hex);
    const ephemeral = await agreementPair(c.ephemeral_scalar_hex);
    const { submittedClaim, enrolments } = message('activation/commit', c.commit);
    const { claim, proof } = submittedClaim;
    require(areEqual(claim.ephemeralKey, ephemeral.publicKey), 'another ephemeral key');
    require(claim.serverKey === await cryptography.nameOfKey(server.publicKey), 'another server');
    const code = await readActivationCode(c.code);
    readActivationID(claim.activation);
    const session = await ActivationSession.start(
        claim, ephemeral.privateKey, server.publicKey, code,
    );
    require(areEqual(session.proof, proof), 'another proof');
    const offer = fromHexadecimal(c.offer_hex);
    readOffer(offer);
    const mac = await offerMAC(await sessionOf(claim, server.privateKey, code), proof, offer);
    require(await session.accept(offer, mac.map((byte) => byte ^ 1)) === undefined, 'a false MAC');
    const enrolment = await session.accept(offer, mac);
    require(enrolment instanceof EnrolmentSession, 'the offer');
    const { places } = enrolment.offer;
    require(places.length === enrolments.length, 'another number of accounts');
    const seeds = [];
    for (const [index, place] of places.entries()) {
        const sent = enrolments[index];
        const { privateKey } = await signingPair(c.device_scalars_hex[index]);
        seeds.push(await openedSeeds(enrolment, place, sent, privateKey));
    }
    require(c.outcomes.every((outcome) =>
        ['enrolled', 'tooManyDevices', 'accountReplaced'].includes(outcome)), 'an outcome');
    const receipt = await enrolment.receipt(enrolments, c.outcomes);
    require(await enrolment.isReceipt(receipt, enrolments, c.outcomes), 'the receipt');
    return {
        proof_hex: hexadecimal(session.proof),
        mac_hex: hexadecimal(mac),
        claim: new TextDecoder().decode(written(submittedClaim)),
        claim_digest_hex: hexadecimal(await session.digest()),
        offer_response: new TextDecoder().decode(written({ offer, mac })),
        seeds,
        receipt_hex: hexadecimal(receipt),
    };
}

async function openedSeeds(enrolment, place, sent, privateKey) {
    const device = { id: sent.device, publicKey: sent.deviceKey, privateKey };
    const signed = enrolment.possession(place, device);
    require(await cryptography.isSigned(sent.deviceKey, sent.possession, signed), 'possession');
    const seeds = [];
    for (const part of ['userSeed', 'deviceSeed']) {
        const seal = async (seed) => {
            const nonce = sent[part].slice(0, 12);
            const seeds = { user: seed, device: seed };
            return (await enrolment.enrol(place, device, seeds, nonce))[part];
        };
        seeds.push(hexadecimal(await opened(sent[part], seal)));
    }
    return seeds;
}

async function decision(c) {
    const request = message('decision', c.request);
    const canonical = fromHexadecimal(c.canonical_hex);
    const shown = contentOf(canonical);
    require(request.transaction === shown.id, 'another transaction');
    const { approve, reject } = request.choice;
    require(!approve || shown.authentication.includes(approve), 'a type that is not accepted');
    const choice = approve ? 'approve' : reject;
    const credential = {
        enterprise: shown.enterprise,
        id: c.credential,
        kind: approve ? typeKinds[approve] : 'device',
        generation: request.envelope.generation,
    };
    const taken = { credential, ...request.envelope };
    const hash = await cryptography.sha256(canonical);
    const evidence = codes.evidence(c.device, hash, choice, taken);
    const deviceKey = fromHexadecimal(c.device_key_hex);
    require(await cryptography.isSigned(deviceKey, request.evidence, evidence), 'the evidence');
    const question = codes.decisionQuestion(hash, choice, approve ? c.typed_number : '');
    const seed = fromHexadecimal(c.seed_hex);
    const code = await codes.inBandCode(seed, credential, taken.epoch, taken.counter, question);
    require(code === request.envelope.code, 'another code');
    return {
        evidence_hex: hexadecimal(evidence),
        question: hexadecimal(await codes.challenge(question, credential, taken.epoch)),
    };
}

async function rekey(c) {
    const server = await agreementPair(c.server_scalar_hex);
    const ephemeral = await agreementPair(c.ephemeral_scalar_hex);
    const { rekey: { proposal, seed: sealed }, envelope } = message('rekey', c.request);
    require(areEqual(proposal.ephemeralKey, ephemeral.publicKey), 'another ephemeral key');
    const serverKey = await cryptography.nameOfKey(server.publicKey);
    require(proposal.serverKey === serverKey, 'another server');
    const { authority } = proposal;
    require(envelope.generation === authority.generation, 'another generation');
    const oldSeed = fromHexadecimal(c.seed_hex);
    const newSeed = await opened(sealed, (seed) => sealedProposal(
        proposal, ephemeral.privateKey, server.publicKey, oldSeed, seed, sealed.slice(0, 12),
    ));
    const question = await questionOfRekey(proposal, sealed);
    const { epoch, counter } = envelope;
    const code = await codes.inBandCode(oldSeed, authority, epoch, counter, question);
    require(code === envelope.code, 'another code');
    return {
        question: hexadecimal(await codes.challenge(question, authority, epoch)),
        new_seed_hex: hexadecimal(newSeed),
    };
}

// MARK: Signed messages

/** The request of a case in the page's terms; each field exactly once. */
function requestOf(method, target, list) {
    const value = (name) => {
        const found = list.filter(([field]) => field.toLowerCase() === name);
        require(found.length === 1, `${name} not once`);
        return found[0][1];
    };
    return {
        method,
        target,
        type: value('content-type'),
        digest: value('content-digest'),
        input: value('signature-input'),
        signature: value('signature'),
    };
}

/** The signature of a request is valid for the lines that the page signs. */
async function requireSigned(request, body, key) {
    const digest = `sha-256=:${btoa(String.fromCharCode(...await cryptography.sha256(body)))}:`;
    require(request.digest === digest, 'another digest');
    const encoded = /^countersign=:(.*):$/.exec(request.signature);
    require(encoded, 'not a signature');
    const signature = fromBase64(encoded[1]);
    require(signature.length === 64, 'not 64 bytes');
    require(await cryptography.isSigned(key, signature, requestBase(request)), 'not signed');
}

const createdIn = (input) => /;created=([0-9]+)/.exec(input)?.[1];
const quoted = (input, name) => new RegExp(`;${name}="([0-9a-f]{32})"`).exec(input)?.[1];

/**
 * A verifier accepts what the page sends: the case has the page's own lines and fields. Parameters
 * in another order are valid too, but the page does not write them.
 */
async function signedRequest(c) {
    const request = requestOf(c.method, c.target_uri, c.fields);
    await requireSigned(request, utf8(c.body), pointOf(c.public_key_hex));
    const own = {
        device: quoted(request.input, 'keyid'),
        nonce: quoted(request.input, 'nonce'),
        created: createdIn(request.input),
    };
    const parts = (input) => input.split(';').sort().join(';');
    require(parts(requestInput(own)) === parts(request.input), 'not the fields of the page');
    require(/^(?:0|[1-9][0-9]{0,14})$/.test(own.created), 'not a time');
    const fields = Object.values(requestFields(request));
    require(fields.every((field) => /^[!-~]/.test(field)), 'a field');
    const created = BigInt(own.created) * 1000n;
    const skew = created > BigInt(c.now) ? created - BigInt(c.now) : BigInt(c.now) - created;
    return {
        device: own.device,
        nonce: own.nonce,
        created: String(created),
        verdict: skew <= 120_000n ? 'authentic' : 'clock-skew',
    };
}

async function signedResponse(c) {
    const request = requestOf(c.request_method, c.request_target_uri, c.request_fields);
    await requireSigned(request, utf8(c.request_body), pointOf(c.device_key_hex));
    const headers = new Headers(c.fields);
    const response = { status: c.status, headers, body: utf8(c.body) };
    const signer = await signerOfResponse(response, request, c.server_keys.map(pointOf));
    require(signer, 'not signed');
    const created = createdIn(headers.get('signature-input'));
    return { key: await cryptography.nameOfKey(signer), created: String(BigInt(created) * 1000n) };
}

// MARK: Run

/** The problem of one case, or undefined. */
async function problemOf(check, c) {
    let result;
    try {
        result = (await check(c)) ?? {};
    } catch (error) {
        if (!(error instanceof Malformed)) return `failed: ${error.stack}`;
        return c.expect === 'reject' ? undefined : `refused: ${error.message}`;
    }
    if (c.expect === 'reject') return 'accepted';
    const wrong = Object.entries(result)
        .filter(([name, value]) => JSON.stringify(c[name]) !== JSON.stringify(value))
        .map(([name, value]) => `${name} is ${JSON.stringify(value)}`);
    return wrong.length > 0 ? wrong.join(', ') : undefined;
}

export const types = Object.keys(checks);

/** Runs the cases of a file: how many were run, how many of them refused, and the problems. */
export async function run(file) {
    const { type, cases } = await (await fetch(`/vectors/Protocol/${file}`)).json();
    const problems = [];
    for (const [row, c] of cases.entries()) {
        const problem = await problemOf(checks[type], c);
        if (problem) problems.push(`row ${row + 1} (${c.comment ?? ''}): ${problem}`);
    }
    const refused = cases.filter(({ expect }) => expect === 'reject').length;
    return { count: cases.length, refused, problems };
}
