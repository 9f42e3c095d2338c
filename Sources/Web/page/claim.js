// The first step of an activation, as a person takes it.

import { ActivationSession, readActivationCode, readActivationID } from './activation.js';
import { isActive, isSameAccount } from './accounts.js';
import { Malformed, hexadecimal, readOrNothing } from './bytes.js';
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
    const { agreementKey, signingKey } = core.verifier;
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
    return offered(core, { session, enrolment, submitted, device, peer });
}

/** The offer for the person, unless this browser must not or need not accept it. */
async function offered(core, activation) {
    const { enrolment } = activation;
    const policy = readOrNothing(() => readPolicy(enrolment.offer.policy));
    if (!policy) return { code: 'policyInvalid' };
    if (policy.deviceKind === 'app') return { code: 'notForBrowsers' };
    const isRequired = policy.deviceKind === 'webWithPasskey';
    if (isRequired && !core.passkeys) return { code: 'passkeyMissing' };
    const { enterprise } = enrolment.offer;
    const accounts = enrolment.offer.places.map(({ type, id }) => ({ enterprise, type, id }));
    const held = await acceptedAccounts(core);
    const areHeld = accounts.every(({ type, id }) =>
        held.some((record) => isSameAccount(record, { enterprise, account: { type, id } })));
    if (areHeld) return { code: 'accountHeld' };
    // The PIN of all accounts is the same. With one passkey, so is what the person does.
    const needsPasskey = isRequired || held.some(({ passkey }) => passkey !== null);
    const offer = Object.freeze({
        accounts,
        needsNewPIN: held.length === 0,
        minimumDigits: policy.minimumDigits,
        maximumDigits: policy.maximumDigits,
        needsPasskey,
        offersPasskey: !needsPasskey && await core.passkeys?.areOffered() === true,
    });
    inProgress.set(offer, { ...activation, policy });
    return done(offer);
}

/** The active accounts of this browser whose device the bank did not revoke. */
async function acceptedAccounts(core) {
    const records = (await core.store.accounts()).filter(isActive);
    const statuses = await Promise.all(records.map((record) => refresh(core, record)));
    return records.filter((_, index) => statuses[index].code !== 'deviceRevoked');
}
