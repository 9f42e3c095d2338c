// The second step of an activation, as a person takes it.

import { isActive, newCredential, publicAccount } from './accounts.js';
import { noBytes } from './bytes.js';
import { activationOf, activeAccounts, leftAmong, newDevice, renewed } from './claim.js';
import { pinCheckQuestion } from './codes.js';
import { done, withDevice, withPIN } from './core.js';
import * as cryptography from './cryptography.js';
import { routes } from './messages.js';
import { brokenRule } from './pins.js';
import { endOthers, recoverAll } from './recovery.js';
import { newIngredients } from './seeds.js';

/**
 * Makes the credentials of every account with this PIN, and sends their sealed seeds. After a
 * failure each account is either active or not; the activation can be repeated from its beginning.
 * @param {{ usesPasskey: boolean }} options
 */
export async function commit(core, offer, pin, { usesPasskey }) {
    const activation = activationOf(offer);
    const rule = brokenRule(pin, activation.policy);
    if (rule) return { code: 'pinPolicy', rule };
    if (offer.needsPasskey && !usesPasskey) return { code: 'passkeyMissing' };
    // A person who need not use a passkey was asked for the lock of this device only.
    const place = offer.needsPasskey ? 'anywhere' : 'here';
    const passkey = usesPasskey ? place : 'none';
    return core.store.alone(() => enrol(core, offer, pin, passkey));
}

async function enrol(core, offer, pin, passkeyPlace) {
    const activation = activationOf(offer);
    const recovered = await recoverAll(core);
    const { enterprise } = activation.enrolment.offer;
    const records = await core.store.accounts();
    // The verifier may have the seeds of an earlier try, or a sibling that is not known here.
    // One of another enterprise may have another PIN, if no account checks the new one.
    const isOpen = records.some((record) => !isActive(record)
        && (record.enterprise === enterprise || offer.needsNewPIN));
    if (isOpen) {
        const recovery = recovered.code === 'done' ? { code: 'unknownResult' } : recovered;
        return { code: 'activationUnfinished', recovery };
    }
    const enrolled = records.filter(({ claimDevice }) => claimDevice === activation.device.id);
    if (enrolled.length > 0) return enrolledResult(enrolled, enrolled.map(() => 'enrolled'));
    const other = await renewed(core, offer);
    if (other) return other;
    const secret = withPIN(pin);
    const sibling = await siblingOf(core, activation, secret, offer);
    if (sibling.code !== 'done') return sibling;
    const passkey = await passkeyFor(core, records, passkeyPlace, secret.outputs);
    if (passkey.code !== 'done') return passkey;
    const made = await makeAccounts(core, activation, secret, passkey.value);
    return submit(core, activation, made, sibling.value);
}

/** Checks the PIN with the existing accounts, because all accounts have the same PIN. */
async function siblingOf(core, activation, secret, { needsNewPIN }) {
    const { enterprise } = activation.enrolment.offer;
    const active = await activeAccounts(core);
    const { refusal, left } = leftAmong(active, activation.enrolment.offer);
    if (refusal) return refusal;
    // These still have the old PIN.
    const ready = active.filter((record) => !left.includes(record));
    const isSibling = (record) => record.enterprise === enterprise;
    const claimDigest = await activation.session.digest();
    let lost;
    for (const record of [...ready.filter(isSibling), ...ready.filter((one) => !isSibling(one))]) {
        const members = isSibling(record) ? { claimDigest } : {};
        const result = await checkPIN(core, record.device, secret, members);
        if (result.code === 'done') {
            return done(isSibling(record) ? { device: record.device, ...result.value } : undefined);
        }
        const failure = { ...result, account: publicAccount(record) };
        if (!meansLoss(result)) return failure;
        lost ??= failure;
    }
    // The person was asked for the PIN of these accounts, and nothing checked it.
    return lost && !needsNewPIN ? lost : done();
}

/** Whether only a new activation makes the account usable again. */
export const meansLoss = ({ code, lock }) =>
    ['deviceRevoked', 'seedReplaced'].includes(code) || lock?.never === true;

/** Checks the PIN online; a wrong one counts. The value names the accepted attempt. */
export async function checkPIN(core, device, secret, members = {}) {
    let attempt;
    const result = await core.exchangeWithCode(
        routes.pinCheck, device, secret, pinCheckQuestion(),
        (envelope) => {
            attempt = envelope.attempt;
            return { ...members, envelope };
        },
    );
    return result.code === 'done' ? done({ attempt }) : result;
}

/**
 * The passkey of this browser, a new one, or an empty one, with its output.
 * @param {'none' | 'here' | 'anywhere'} place
 */
async function passkeyFor(core, records, place, outputs) {
    if (place === 'none') return done({ stored: null, output: noBytes });
    const stored = records.find(({ passkey }) => passkey)?.passkey;
    if (stored) {
        const output = await core.passkeyOutput(stored, outputs);
        return output ? done({ stored, output }) : { code: 'passkeyFailed' };
    }
    const salt = cryptography.random(32);
    const created = await core.passkeys?.create(salt, { isHere: place === 'here' });
    if (!created) return { code: 'passkeyFailed' };
    if (!created.output) return { code: 'passkeyMissing' };
    return done({ stored: { id: created.id, salt }, output: created.output });
}

/** The records of the new accounts, and the enrolments that are sent. */
async function makeAccounts(core, activation, secret, passkey) {
    const storeKey = await core.newStoreKey();
    const digest = await activation.session.digest();
    const accounts = [];
    for (const place of activation.enrolment.offer.places) {
        const device = accounts.length === 0 ? activation.device : await newDevice();
        const record = newRecord(activation, place, device, passkey.stored, digest);
        const seeds = await newSeeds(
            core, activation, place, record, { storeKey, secret, passkeyOutput: passkey.output },
        );
        const nonce = cryptography.random(12);
        const enrolment = await activation.enrolment.enrol(place, device, seeds, nonce);
        for (const seed of Object.values(seeds)) seed.fill(0);
        accounts.push({ record, enrolment });
    }
    return accounts;
}

async function newSeeds(core, activation, place, record, { storeKey, secret, passkeyOutput }) {
    const derive = (input, { ingredients }) => core.derive(
        storeKey, activation.enrolment.credential(place, input.kind), ingredients, input,
        passkeyOutput,
    );
    return {
        user: await derive(secret, record.user),
        device: await derive(withDevice(), record.deviceCredential),
    };
}

function newRecord(activation, place, device, passkey, claimDigest) {
    const { offer } = activation.enrolment;
    const credential = (kind) => newCredential(place[kind], offer.epoch, newIngredients(kind, 0n));
    return {
        device: device.id,
        key: device.privateKey,
        claimDevice: activation.device.id,
        place: 0,
        enterprise: offer.enterprise,
        account: { type: place.type, id: place.id },
        ...activation.verifier,
        nextSigningKey: null,
        state: 'pending',
        commit: {
            activation: activation.submitted.claim.activation,
            claim: claimDigest,
            deviceKey: device.publicKey,
        },
        awaitsPINChange: false,
        seenChanges: [],
        confirmedPush: null,
        policy: activation.policy,
        passkey,
        user: credential('user'),
        deviceCredential: credential('device'),
    };
}

/** The pending accounts are on the disk before the seeds are sent. */
async function submit(core, activation, made, sibling) {
    const records = made.map(({ record }) => record);
    const enrolments = made.map(({ enrolment }) => enrolment);
    await core.store.add(records);
    const message = { submittedClaim: activation.submitted, enrolments, sibling };
    const result = await core.transport.exchange(routes.commit, message, activation.peer);
    if (result.code === 'done') {
        return conclude(core, activation, records, enrolments, result.value);
    }
    // An earlier attempt may have succeeded; then the accounts exist. Without a result they stay
    // pending.
    await recoverAll(core);
    const devices = records.map(({ device }) => device);
    const active = (await core.store.accounts())
        .filter((record) => devices.includes(record.device) && isActive(record));
    if (active.length > 0) return enrolledResult(active, active.map(() => 'enrolled'));
    const isOver = result.code === 'unknownResult' && !await areStored(core, devices);
    return isOver ? { code: 'notActivated' } : result;
}

const areStored = async (core, devices) =>
    (await core.store.accounts()).some(({ device }) => devices.includes(device));

/** Accepts the outcomes only with a valid receipt. */
async function conclude(core, activation, records, enrolments, { outcomes, receipt }) {
    const isValid = outcomes.length === records.length
        && await activation.enrolment.isReceipt(receipt, enrolments, outcomes);
    if (!isValid) return { code: 'unknownResult', cause: 'the receipt' };
    for (const [index, record] of records.entries()) {
        if (outcomes[index] !== 'enrolled') {
            await core.store.remove([record.device]);
            continue;
        }
        await endOthers(core, record);
        await core.store.change(record.device, (current) => {
            current.state = 'active';
            current.commit = null;
            return true;
        });
    }
    return enrolledResult(records, outcomes);
}

const enrolledResult = (records, outcomes) =>
    done(records.map((record, index) => ({
        account: publicAccount(record), outcome: outcomes[index],
    })));
