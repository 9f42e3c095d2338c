// Looks at the stored state of the page, and changes it as an attacker or a backup would.

import { hexadecimal } from '/approve/bytes.js';
import { macKey } from '/approve/cryptography.js';
import { deriveSeed } from '/approve/seeds.js';

const asked = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

async function withDatabase(work) {
    const database = await asked(indexedDB.open('countersign'));
    try {
        return await work(database);
    } finally {
        database.close();
    }
}

const records = (database) =>
    asked(database.transaction('accounts').objectStore('accounts').getAll());

/** Ends the page's own connection to the database first. */
export const wipe = () => new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase('countersign');
    request.onsuccess = resolve;
    request.onerror = () => reject(request.error);
});

/** The store of a later page, which this page cannot open. */
export const makeNewer = async () => (await asked(indexedDB.open('countersign', 2))).close();

export const recordCount = () => withDatabase(async (database) => (await records(database)).length);

export const counters = () => withDatabase(async (database) =>
    (await records(database)).map(({ user }) => String(user.counter)));

export const setCounters = (values) => withDatabase(async (database) => {
    const all = await records(database);
    const accounts = database.transaction('accounts', 'readwrite').objectStore('accounts');
    for (const [index, record] of all.entries()) {
        record.user.counter = BigInt(values[index]);
        await asked(accounts.put(record));
    }
});

/** A key that no script can read: by its kind, or by a MAC that it makes. */
async function shownKey(key) {
    if (key.type !== 'secret') return `key for ${key.algorithm.name}, ${key.usages}`;
    return hexadecimal(new Uint8Array(await crypto.subtle.sign('HMAC', key, new Uint8Array(32))));
}

async function shown(value) {
    if (value instanceof CryptoKey) {
        if (value.extractable) throw new Error('a key that a script can read');
        return shownKey(value);
    }
    if (value instanceof Uint8Array) return hexadecimal(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    const result = Array.isArray(value) ? [] : {};
    for (const [name, member] of Object.entries(value)) result[name] = await shown(member);
    return result;
}

/** Everything that is stored for this origin. */
export const contents = () => withDatabase(async (database) => {
    const settings = database.transaction('settings').objectStore('settings');
    const [names, values] = await Promise.all(
        [settings.getAllKeys(), settings.getAll()].map(asked),
    );
    return {
        databases: (await indexedDB.databases()).map(({ name }) => name),
        names,
        settings: await shown(values),
        accounts: await shown(await records(database)),
        local: { ...localStorage },
        session: { ...sessionStorage },
        caches: await caches.keys(),
        cookies: document.cookie,
    };
});

// MARK: Faults

export const forgetStoreKey = () => withDatabase((database) => {
    const settings = database.transaction('settings', 'readwrite').objectStore('settings');
    return asked(settings.delete('storeKey'));
});

/** A browser that aborts each write, or those of one store, with this error when the transaction ends. */
export function failWrites(name, store) {
    const real = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function put(...values) {
        const request = real.apply(this, values);
        const { transaction } = this;
        if (store && store !== this.name) return request;
        request.addEventListener('success', () => {
            const error = new DOMException('', name);
            Object.defineProperty(transaction, 'error', { value: error });
            transaction.abort();
        });
        return request;
    };
}

let kept;
export const keepRecords = () => withDatabase(async (database) => {
    kept = await records(database);
});

export const restoreRecords = () => withDatabase(async (database) => {
    const accounts = database.transaction('accounts', 'readwrite').objectStore('accounts');
    await Promise.all(kept.map((record) => asked(accounts.put(record))));
});

const durability = [];
export function recordDurability() {
    const real = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function transaction(...values) {
        const made = real.apply(this, values);
        if (made.mode === 'readwrite') durability.push(made.durability);
        return made;
    };
}
export const recordedDurability = () => durability;

// MARK: Seeds

/** The seed of fixed parts, to compare with another implementation. */
export async function seed(kind, passkeyOutput, factor) {
    const storeKey = await macKey(new Uint8Array(32).fill(1));
    const id = '000102030405060708090a0b0c0d0e0f';
    const credential = { enterprise: 'bank', id, kind, generation: 7n };
    const share = new Uint8Array(32).fill(2);
    return hexadecimal(await deriveSeed(
        storeKey, credential, share, Uint8Array.from(factor), Uint8Array.from(passkeyOutput),
    ));
}
