// Changes of the PIN, one account after the other.

import { credentialIn, isActive, leftByEarlierChange, publicAccount } from './accounts.js';
import { done, withPIN } from './core.js';
import * as cryptography from './cryptography.js';
import { checkPIN, meansLoss } from './enrolment.js';
import { routes } from './messages.js';
import { brokenRule } from './pins.js';
import { recoverAll } from './recovery.js';
import { questionOfRekey, sealedProposal } from './rekey.js';
import { newIngredients } from './seeds.js';

/**
 * Changes the PIN of every account, and stops at the first failure. A repeated call with the same
 * PINs continues with the remaining accounts.
 *
 * If the PIN was changed since the accounts were shown, nothing happens: the old PIN would only cost
 * an attempt.
 */
export function changePIN(core, oldPIN, newPIN, shown = []) {
    return core.store.alone(async () => {
        // The verifier may already have an earlier proposed seed. A new proposal would replace it,
        // so its result must be known first.
        const recovered = await recoverAll(core);
        if (recovered.code !== 'done') return recovered;
        return changeAll(core, oldPIN, newPIN, shown);
    });
}

async function changeAll(core, oldPIN, newPIN, shown) {
    const active = (await core.store.accounts()).filter(isActive);
    if (active.length === 0) return { code: 'accountMissing' };
    if (newPIN === oldPIN) return { code: 'pinPolicy', rule: 'samePIN' };
    const left = leftByEarlierChange(active);
    const isChanged = active.some((record) => isChangedSince(shown, publicAccount(record)));
    if (left.length === 0 && isChanged) return { code: 'pinChangedBefore' };
    // The person is prompted once for the passkey.
    const inputs = { oldPIN, newPIN, outputs: new Map() };
    const earlier = left.length > 0 ? active.filter((record) => !left.includes(record)) : [];
    const checked = await checkEarlierPIN(core, earlier, inputs);
    if (checked.code !== 'done') return checked;
    // Otherwise a rule that became stricter would leave the accounts with two PINs.
    const rule = checked.value.isEarlierPIN ? undefined : firstBrokenRule(active, newPIN);
    if (rule) return { code: 'pinPolicy', rule };
    if (left.length === 0 && active.length > 1) await markAll(core, active);
    const records = left.length > 0 ? left : active;
    const changed = [];
    for (const record of records) {
        const result = await rekey(core, record, inputs);
        const remaining = records.slice(changed.length).map(publicAccount);
        if (result.code !== 'done') {
            return { ...result, account: publicAccount(record), changed, remaining };
        }
        changed.push(publicAccount(record));
    }
    return done({ changed });
}

/**
 * All accounts have one PIN, so the new PIN must be that of the accounts that an earlier change has
 * changed. Lost ones cannot check it, and do not keep the others from getting one PIN.
 */
async function checkEarlierPIN(core, records, { newPIN, outputs }) {
    for (const record of records) {
        const result = await checkPIN(core, record.device, withPIN(newPIN, { outputs }));
        if (result.code === 'done') return done({ isEarlierPIN: true });
        if (result.code === 'unknownResult') return { code: 'notChanged' };
        const failure = { ...result, account: publicAccount(record) };
        if (result.code === 'authenticationFailed') return { ...failure, code: 'otherNewPIN' };
        if (!meansLoss(result)) return failure;
    }
    return done({ isEarlierPIN: false });
}

const firstBrokenRule = (records, pin) =>
    records.map(({ policy }) => brokenRule(pin, policy)).find((rule) => rule);

const isChangedSince = (shown, { device, pinGeneration }) =>
    shown.some((account) => account.device === device && account.pinGeneration !== pinGeneration);

async function markAll(core, records) {
    for (const { device } of records) {
        await core.store.change(device, (record) => {
            record.awaitsPINChange = true;
            return true;
        });
    }
}

/** One request: the verifier has either the old seed or the new one. */
async function rekey(core, record, { oldPIN, newPIN, outputs }) {
    const { generation } = record.user.ingredients;
    const oldSecret = withPIN(oldPIN, { generation, outputs });
    const made = await proposal(core, record, oldSecret, withPIN(newPIN, { outputs }));
    if (made.code !== 'done') return made;
    const { ingredients, rekey: content } = made.value;
    const { device } = record;
    await setProposed(core, device, ingredients);
    const question = await questionOfRekey(content.proposal, content.seed);
    const result = await core.exchangeWithCode(
        routes.rekey, device, oldSecret, question,
        (envelope) => ({ rekey: content, envelope }),
    );
    if (result.code === 'done') return conclude(core, device, ingredients);
    if (isEnded(result)) {
        await setProposed(core, device, null);
        return result;
    }
    return resultAfterRecovery(core, device, ingredients, result);
}

/**
 * Whether even a delayed copy of the request is refused: the verifier stores this verdict, or it
 * has another generation than the request.
 */
const isEnded = ({ code }) => ['authenticationFailed', 'seedReplaced'].includes(code);

/** A new seed for the new PIN, sealed with a key from the old seed. */
async function proposal(core, record, oldSecret, newSecret) {
    const authority = credentialIn(record, 'user');
    const credential = { ...authority, generation: authority.generation + 1n };
    const ingredients = newIngredients('user', credential.generation);
    const oldSeed = await core.seed(record, authority, record.user.ingredients, oldSecret);
    if (oldSeed.code !== 'done') return oldSeed;
    let newSeed;
    try {
        newSeed = await core.seed(record, credential, ingredients, newSecret);
        if (newSeed.code !== 'done') return newSeed;
        const rekey = await sealed(record, { authority, credential }, oldSeed.value, newSeed.value);
        return done({ ingredients, rekey });
    } finally {
        oldSeed.value.fill(0);
        newSeed?.value?.fill(0);
    }
}

async function sealed(record, credentials, oldSeed, newSeed) {
    const ephemeral = await cryptography.newAgreementKey();
    const content = {
        ...credentials,
        ephemeralKey: ephemeral.publicKey,
        serverKey: await cryptography.nameOfKey(record.agreementKey),
    };
    const seed = await sealedProposal(
        content, ephemeral.privateKey, record.agreementKey, oldSeed, newSeed,
    );
    return { proposal: content, seed };
}

const setProposed = (core, device, ingredients) =>
    core.store.change(device, (record) => {
        record.user.proposed = ingredients;
        return true;
    });

async function conclude(core, device, ingredients) {
    await core.store.change(device, (record) => {
        record.user.ingredients = ingredients;
        record.user.proposed = null;
        record.awaitsPINChange = false;
        return true;
    });
    return done();
}

/** The verifier's status decides; without a status, the next use case requests it again. */
async function resultAfterRecovery(core, device, ingredients, result) {
    await recoverAll(core);
    const record = await core.store.account(device);
    const isChanged = record?.user.ingredients.generation === ingredients.generation;
    if (isChanged) return done();
    const isKnown = !record?.user.proposed;
    if (result.code === 'unknownResult' && isKnown) return { code: 'notChanged' };
    // The verifier may have changed the PIN without being able to respond.
    if (result.code === 'serverUnavailable' && !isKnown) {
        return { code: 'unknownResult', cause: 'network' };
    }
    return result;
}
