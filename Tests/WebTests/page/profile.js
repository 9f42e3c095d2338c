// Looks at the stored state of the page, and changes it as an attacker or a backup would.

import { hexadecimal } from '/approve/bytes.js';

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

/** A key that no script can read stands for what it computes. */
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
    return {
        databases: (await indexedDB.databases()).map(({ name }) => name),
        names: await asked(settings.getAllKeys()),
        settings: await shown(await asked(settings.getAll())),
        accounts: await shown(await records(database)),
        local: { ...localStorage },
        session: { ...sessionStorage },
        caches: await caches.keys(),
        cookies: document.cookie,
    };
});
