// The first step of an activation, as a person takes it.

import { ActivationSession, readActivationCode, readActivationID } from './activation.js';
import { isActive, isSameAccount, leftByEarlierChange } from './accounts.js';
import { Malformed, hexadecimal, readOrNothing, require } from './bytes.js';
import { done } from './core.js';
import * as cryptography from './cryptography.js';
import { routes } from './messages.js';
import { readPolicy } from './policy.js';
import { recover } from './recovery.js';
import { refresh } from './status.js';
import { isDeviceName } from './values.js';

/** The values of an accepted offer that no screen needs. */
const inProgress = new WeakMap();

export const activationOf = (offer) => inProgress.get(offer);

export async function newDevice() {
    return { id: hexadecimal(cryptography.random(16)), ...await cryptography.newSigningKey() };
}

/**
 * Proves the code, and accepts the offer only if the verifier proves the code too.
 * @param {string} typedID
 * @param {string} typedCode
 * @param {string} typedName
 */
export async function claim(core, typedID, typedCode, typedName) {
    const activation = readOrNothing(() => readActivationID(typedID));
    if (!activation) return { code: 'activationIDMistyped' };
    const code = await readCode(typedCode);
    if (!code) return { code: 'activationCodeMistyped' };
    if (!isDeviceName(typedName, core.reader)) return { code: 'deviceNameInvalid' };
    await recover(core);
    return claimWith(core, activation, code, typedName);
}

async function readCode(typed) {
    try {
        return await readActivationCode(typed);
    } catch (error) {
        if (error instanceof Malformed) return undefined;
        throw error;
    }
}

async function claimWith(core, activation, code, name) {
    const verifier = await currentVerifier(core);
    const { agreementKey, signingKey } = verifier;
    const device = await newDevice();
    const ephemeral = await cryptography.newAgreementKey();
    const content = {
        activation,
        serverKey: await cryptography.nameOfKey(agreementKey),
        device: device.id,
        ephemeralKey: ephemeral.publicKey,
        deviceKey: device.publicKey,
        deviceName: name,
    };
    const session = await ActivationSession.start(
        content, ephemeral.privateKey, agreementKey, code,
    );
    const submitted = { claim: content, proof: session.proof };
    const peer = { device: device.id, key: device.privateKey, serverKeys: [signingKey] };
    const result = await core.transport.exchange(routes.claim, submitted, peer);
    if (result.code !== 'done') return result;
    const enrolment = await session.accept(result.value.offer, result.value.mac);
    if (!enrolment) return { code: 'unknownResult', cause: 'the offer' };
    return offered(core, { verifier, session, enrolment, submitted, device, peer });
}

/** The keys of now: the verifier may have replaced those that it had at the start of the page. */
async function currentVerifier(core) {
    try {
        const current = await core.fetchVerifier();
        require(current.origin === core.verifier.origin, 'another verifier');
        return current;
    } catch {
        // The claim itself then reports the network, or succeeds because the keys are the same.
        return core.verifier;
    }
}

/** The offer for the person, unless this browser must not or need not accept it. */
async function offered(core, activation) {
    const { enrolment } = activation;
    const policy = readOrNothing(() => readPolicy(enrolment.offer.policy));
    if (!policy) return { code: 'policyInvalid' };
    if (policy.deviceKind === 'app') return { code: 'notForBrowsers' };
    const isRequired = policy.deviceKind === 'webWithPasskey';
    if (isRequired && !core.passkeys) return { code: 'passkeyMissing' };
    const active = await activeAccounts(core);
    const held = await acceptedAmong(core, active);
    const areHeld = accountsOf(enrolment.offer).every((account) =>
        held.some((record) => isSameAccount(record, account)));
    if (areHeld) return { code: 'accountHeld' };
    const { refusal, left } = leftAmong(active, enrolment.offer);
    if (refusal) return refusal;
    // The PIN of all accounts is the same, and so is the choice for or against a passkey.
    const needsPasskey = isRequired || held.some(({ passkey }) => passkey !== null);
    const offer = Object.freeze({
        accounts: accountsOf(enrolment.offer).map(({ enterprise, account }) =>
            ({ enterprise, ...account })),
        needsNewPIN: held.every((record) => left.includes(record)),
        minimumDigits: policy.minimumDigits,
        maximumDigits: policy.maximumDigits,
        needsPasskey,
        offersPasskey: held.length === 0 && !needsPasskey
            && await core.passkeys?.areOffered() === true,
    });
    const known = active.map(({ device }) => device);
    inProgress.set(offer, { ...activation, policy, known });
    return done(offer);
}

const accountsOf = ({ enterprise, places }) =>
    places.map(({ type, id }) => ({ enterprise, account: { type, id } }));

/**
 * The accounts that an unfinished change of the PIN left with the old one, and a refusal if the offer
 * does not replace all of them: a new account could get the old PIN.
 */
export function leftAmong(active, offer) {
    const left = leftByEarlierChange(active);
    const areReplaced = left.every((record) =>
        accountsOf(offer).some((account) => isSameAccount(record, account)));
    return { left, refusal: areReplaced ? undefined : { code: 'pinChangeUnfinished' } };
}

export const activeAccounts = async (core) => (await core.store.accounts()).filter(isActive);

/**
 * The offer again, if another page activated accounts since the person chose a PIN: it would be
 * checked as the PIN of these accounts. Undefined if there are none.
 */
export async function renewed(core, offer) {
    const activation = activationOf(offer);
    const active = await activeAccounts(core);
    const isNew = active.some(({ device }) => !activation.known.includes(device));
    if (!offer.needsNewPIN || !isNew) return undefined;
    const result = await offered(core, activation);
    return result.code === 'done' ? { code: 'pinSetMeanwhile', offer: result.value } : result;
}

/** The accounts whose device the bank did not revoke. */
async function acceptedAmong(core, records) {
    const statuses = await Promise.all(records.map((record) => refresh(core, record)));
    return records.filter((_, index) => statuses[index].code !== 'deviceRevoked');
}
