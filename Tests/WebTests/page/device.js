// Drives the page's device. Offers and transactions stay here; only plain values leave.

import { Device } from '/approve/device.js';
import { passkeys } from '/approve/passkeys.js';
import { base64url, fromBase64url, utf8 } from '/approve/bytes.js';
import { reader } from './reader.js';

let device;
let offer;
let listening;
let hints = [];
const transactions = new Map();

/** The test's server computes it. */
async function argon2(password, salt, cost) {
    const asked = { password: [...password], salt: [...salt], ...cost };
    const response = await fetch('/argon2id', { method: 'POST', body: JSON.stringify(asked) });
    return new Uint8Array(await response.arrayBuffer());
}

async function builtModules() {
    const [{ loadReader }, { argon2id }] = await Promise.all(
        ['/built/reader.js', '/built/argon2.js'].map((path) => import(path)),
    );
    return { reader: await loadReader(), argon2: argon2id };
}

let prompts = 0;
/** The number of prompts of the authenticator since the last call. */
export function promptCount() {
    const count = prompts;
    prompts = 0;
    return count;
}

/** The page's own passkeys, or the outputs of an authenticator: nothing if the person cancels. */
const authenticator = ({ isReal, output }) => isReal ? passkeys : ({
    areOffered: async () => false,
    create: async () => output && { id: Uint8Array.of(1), output: new Uint8Array(32).fill(output) },
    evaluate: async () => {
        prompts += 1;
        return output && new Uint8Array(32).fill(output);
    },
});

const plain = (value) => JSON.parse(JSON.stringify(value ?? null, (_, member) =>
    typeof member === 'bigint' ? String(member)
        : member instanceof Uint8Array ? [...member] : member));

export async function open(verifier, options = {}) {
    const skew = options.skew ?? 0;
    const modules = options.isBuilt ? await builtModules() : { reader, argon2 };
    const result = await Device.open({
        verifier,
        fetchVerifier: options.current && (async () => options.current),
        ...modules,
        now: () => Date.now() + skew,
        passkeys: options.passkeys && authenticator(options.passkeys),
    });
    device = result.value;
    await device?.recovered;
    return { code: result.code, reason: result.reason };
}

export async function claim(id, code, name = 'Browser') {
    const result = await device.claim(id, code, name);
    if (result.code === 'done') offer = result.value;
    return plain(result);
}

export async function commit(pin) {
    const result = await device.commit(offer, pin, { usesPasskey: offer.needsPasskey });
    if (result.code === 'pinSetMeanwhile') offer = result.offer;
    return plain(result);
}
export const unfinished = async () => plain(await device.unfinished());
export const accounts = async () => plain(await device.accounts());
export const status = async () => plain(await device.status());

const first = async (place = 0) => (await device.accounts()).value[place];

const kept = (transaction) => transactions.set(transaction.content.id, transaction);

export async function pending() {
    const result = await device.pending();
    result.value?.transactions.forEach(kept);
    return plain(result);
}

export async function transaction(id, place = 0) {
    const result = await device.transaction(await first(place), id);
    if (result.code === 'done') kept(result.value);
    return plain(result);
}

/** Fetches several at the same time. */
export async function fetchAll(ids) {
    const account = await first();
    return plain(await Promise.all(ids.map((id) => device.transaction(account, id))));
}

export const approve = async (id, pin, number) =>
    plain(await device.approve(transactions.get(id), pin, number));
export const approveTwice = async (id, pin) => plain(await Promise.all([
    device.approve(transactions.get(id), pin), device.approve(transactions.get(id), pin),
]));
export const consent = async (id) => plain(await device.consent(transactions.get(id)));
export const reject = async (id, reason) =>
    plain(await device.reject(transactions.get(id), reason));
export const logIn = async (text, pin) => plain(await device.logIn(await first(), utf8(text), pin));
export const checkPIN = async (pin, place = 0) =>
    plain(await device.checkPIN(await first(place), pin));
export const changePIN = async (old, next) => plain(await device.changePIN(old, next));
export const remove = async (place = 0) => plain(await device.remove(await first(place)));
export const removeUnfinished = async () =>
    plain(await device.remove((await device.unfinished()).value[0]));
export const changes = async () => plain(await device.changes(await first()));
export const hasNewChanges = async () => plain(await device.hasNewChanges());
export const noteSeenChanges = async (changes) =>
    plain(await device.noteSeenChanges(await first(), changes));
export const setPush = async (kind) => plain(await device.setPush(await first(), { kind }));

export async function listen() {
    hints = [];
    const result = await device.events((one) => hints.push(one));
    listening = result.value;
}

/** The first hint of a kind, or of one of a device, as soon as it is there. */
export async function hint(kind, device) {
    for (;;) {
        const found = hints.find((one) =>
            one.kind === kind && (!device || one.device === device));
        if (found) return plain(found);
        await new Promise((resolve) => requestAnimationFrame(resolve));
    }
}

export function forgetHints() {
    hints = [];
}
export const hintKinds = () => hints.map(({ kind }) => kind);
export async function stopListening() {
    listening?.stop();
    await listeningEnded();
}
export const listeningEnded = async () => plain(await listening?.ended);
/** Starts a use case, whose result `finish` returns. */
let started;
export function start(name, ...values) {
    started = useCases[name](...values);
}
export const finish = () => started;

const useCases = { checkPINs, approve };

/** One check after the other. */
export async function checkPINs(pin, count) {
    const codes = [];
    while (codes.length < count) codes.push((await checkPIN(pin)).code);
    return codes;
}

export const close = () => device.close();

export const encoded = (bytes) => base64url(Uint8Array.from(bytes));
export const decoded = (text) => [...fromBase64url(text)];
