// The stored state of the device, in IndexedDB. A write has returned only when it is durable.
//
// Every change of a record is one transaction, so two tabs never take the same counter (SEC-115).

/** The reason why the browser did not store or return the state. */
export class StoreFailure extends Error {
    /** @param {'refused' | 'full' | 'wiped' | 'failed'} reason */
    constructor(reason) {
        super(`storage: ${reason}`);
        this.reason = reason;
    }
}

const reasons = {
    QuotaExceededError: 'full',
    // The browser closed the database because the person deleted the data of the site.
    InvalidStateError: 'wiped',
    NotFoundError: 'wiped',
    SecurityError: 'refused',
    NotAllowedError: 'refused',
    VersionError: 'failed',
};

const failure = (error) => new StoreFailure(reasons[error?.name] ?? 'failed');

const databaseName = 'countersign';
const version = 1;

export class Store {
    #database;
    #locks;
    /** The transactions under way. */
    #open = new Set();

    constructor(database, locks) {
        this.#database = database;
        this.#locks = locks;
        // Another tab deletes the database: what follows here fails as wiped.
        database.onversionchange = () => database.close();
    }

    /**
     * @param {IDBFactory} [factory]
     * @param {LockManager} [locks]
     */
    static async open(factory = globalThis.indexedDB, locks = globalThis.navigator?.locks) {
        if (!factory || !locks) throw new StoreFailure('refused');
        let opening;
        try {
            opening = factory.open(databaseName, version);
        } catch {
            throw new StoreFailure('refused');
        }
        opening.onupgradeneeded = () => {
            opening.result.createObjectStore('accounts', { keyPath: 'device' });
            opening.result.createObjectStore('settings');
        };
        return new Store(await opened(opening), locks);
    }

    /** Aborts all open transactions. */
    close() {
        for (const transaction of this.#open) {
            try {
                transaction.abort();
            } catch {
                // It is being committed.
            }
        }
        this.#database.close();
    }

    /** Until it ends. */
    #keep(transaction) {
        this.#open.add(transaction);
        for (const end of ['complete', 'abort']) {
            transaction.addEventListener(end, () => this.#open.delete(transaction));
        }
    }

    // MARK: Accounts

    /** All accounts, in the order of their activation. */
    async accounts() {
        const records = await this.#read('accounts', (accounts) => accounts.getAll());
        return records.sort((one, other) => one.place - other.place);
    }

    /** @param {string} device */
    account(device) {
        return this.#read('accounts', (accounts) => accounts.get(device));
    }

    /** Adds all records after the existing ones, or none. */
    add(records) {
        return this.#write('accounts', (accounts, _, fail) => {
            accounts.getAll().onsuccess = guarded(fail, ({ target }) => {
                const last = Math.max(0, ...target.result.map(({ place }) => place));
                records.forEach((record, index) => {
                    record.place = last + 1 + index;
                    accounts.add(record);
                });
            });
        });
    }

    /**
     * Changes the current record, and returns the result of `change` when the record is durable.
     * Undefined if there is no such account; if `change` returns undefined, nothing is stored.
     */
    change(device, change) {
        return this.#write('accounts', (accounts, finish, fail) => {
            accounts.get(device).onsuccess = guarded(fail, ({ target }) => {
                const record = target.result;
                if (!record) return;
                const result = change(record);
                if (result === undefined) return;
                accounts.put(record);
                finish(result);
            });
        });
    }

    remove(devices) {
        return this.#write('accounts', (accounts) => {
            for (const device of devices) accounts.delete(device);
        });
    }

    // MARK: Settings

    /** @param {string} name */
    setting(name) {
        return this.#read('settings', (settings) => settings.get(name));
    }

    setSetting(name, value) {
        return this.#write('settings', (settings) => settings.put(value, name));
    }

    /** The stored value, or this new one if there is none. */
    settingOrNew(name, value) {
        return this.#write('settings', (settings, finish, fail) => {
            settings.get(name).onsuccess = guarded(fail, ({ target }) => {
                finish(target.result ?? value);
                if (target.result === undefined) settings.add(value, name);
            });
        });
    }

    // MARK: Changes of several steps

    /** Runs `work` while no other tab makes such a change. */
    alone(work) {
        return this.#locks.request('countersign change', work);
    }

    /** The same, or undefined at once if another tab makes such a change. */
    aloneAtOnce(work) {
        return this.#locks.request('countersign change', { ifAvailable: true }, async (lock) =>
            lock ? work() : undefined);
    }

    // MARK: Transactions

    async #read(name, request) {
        try {
            const transaction = this.#database.transaction(name, 'readonly');
            this.#keep(transaction);
            return await succeeded(request(transaction.objectStore(name)));
        } catch (error) {
            throw failure(error);
        }
    }

    #write(name, work) {
        return this.#locks.request('countersign store', () => this.#writeNow(name, work));
    }

    #writeNow(name, work) {
        return new Promise((resolve, reject) => {
            const options = { durability: 'strict' };
            let result;
            let bug;
            let transaction;
            try {
                transaction = this.#database.transaction(name, 'readwrite', options);
                this.#keep(transaction);
                // Only after this event the write is on the disk.
                transaction.oncomplete = () => resolve(result);
                transaction.onabort = () => reject(bug ?? failure(transaction.error));
                const finish = (value) => {
                    result = value;
                };
                const fail = (error) => {
                    bug = error instanceof DOMException ? failure(error) : error;
                    transaction.abort();
                };
                work(transaction.objectStore(name), finish, fail);
            } catch (error) {
                reject(error instanceof DOMException ? failure(error) : error);
            }
        });
    }
}

/** A handler whose error aborts the transaction. */
const guarded = (fail, handler) => (event) => {
    try {
        handler(event);
    } catch (error) {
        fail(error);
    }
};

function succeeded(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

async function opened(request) {
    try {
        return await succeeded(request);
    } catch (error) {
        // A browser that refuses storage reports it here, with different names.
        const isNamed = ['QuotaExceededError', 'VersionError'].includes(error?.name);
        throw isNamed ? failure(error) : new StoreFailure('refused');
    }
}
