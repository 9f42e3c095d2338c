// Hints over the event stream, while the page is open: docs/protocol/messages.md.
// They prove nothing.

import { isActive, publicAccount } from './accounts.js';
import { EventReader, hintIn } from './event-reader.js';

/** The verifier sends a comment at least every 30 seconds. */
const silenceMilliseconds = 60_000;
const [minimumDelay, maximumDelay] = [1_000, 60_000];

/**
 * Browsers open at most six connections to a server. With this maximum, three visible pages leave
 * room for requests. A hidden page has no stream: it gets hints again when the person sees it.
 */
const maximumStreams = 2;
/** How often the accounts without a stream are reported as possibly changed, all at once. */
const refreshMilliseconds = 20_000;
/** The codes after which the verifier accepts no more streams of a device. */
export const finalCodes = ['deviceRevoked', 'noAccountActivated', 'upgradeRequired'];

/**
 * Calls `listener` with each hint and each change of the connection, until `stop`. Only the accounts
 * of now, in `devices`, have hints.
 * A lost connection is retried with exponential backoff. `ended` is the end of all connections,
 * which comes without `stop` if the verifier rejects the devices.
 */
export async function listen(core, listener) {
    const stopping = new AbortController();
    const { signal } = stopping;
    const devices = (await core.store.accounts()).filter(isActive).map(({ device }) => device);
    const waiting = [...devices];
    const listening = Array.from({ length: maximumStreams }, () =>
        listenInTurn(core, waiting, listener, signal));
    const ended = Promise.all([...listening, remind(core, waiting, listener, signal)]);
    return { devices, stop: () => stopping.abort(), ended };
}

/** One stream at a time. After the verifier rejects a device, the next one gets the stream. */
async function listenInTurn(core, waiting, listener, signal) {
    while (waiting.length > 0 && !signal.aborted) {
        await new Listening(core, waiting.shift(), listener, signal).run();
    }
}

/** The hints of accounts without a stream, until none of them is left. */
async function remind(core, waiting, listener, signal) {
    while (waiting.length > 0) {
        await pause(refreshMilliseconds, signal);
        await untilVisible(signal);
        if (signal.aborted) return;
        const records = (await core.store.accounts())
            .filter(({ device }) => waiting.includes(device));
        for (const record of records) {
            listener({
                kind: 'accountChange', account: publicAccount(record), device: record.device,
            });
        }
    }
}

/** Waits until the page is visible, or until `signal`. */
async function untilVisible(signal) {
    while (document.hidden && !signal.aborted) {
        await new Promise((resolve) => {
            document.addEventListener('visibilitychange', resolve, { once: true });
            signal.addEventListener('abort', resolve, { once: true });
        });
    }
}

class Listening {
    #core;
    #device;
    #listener;
    #stopping;
    #delay = minimumDelay;

    constructor(core, device, listener, stopping) {
        this.#core = core;
        this.#device = device;
        this.#listener = listener;
        this.#stopping = stopping;
    }

    /** Until the page stops it, or the verifier rejects the device. */
    async run() {
        for (;;) {
            await untilVisible(this.#stopping);
            if (this.#stopping.aborted) return;
            const record = await this.#core.store.account(this.#device);
            if (!record) {
                this.#listener({ kind: 'removed', device: this.#device });
                return;
            }
            const result = await this.#connect(record);
            if (finalCodes.includes(result.code)) return;
            if (!document.hidden) await this.#pause(result.retryAfterSeconds);
        }
    }

    /** Follows one connection to its end. */
    async #connect(record) {
        const ending = new AbortController();
        const end = () => ending.abort();
        const endIfHidden = () => document.hidden && end();
        this.#stopping.addEventListener('abort', end);
        document.addEventListener('visibilitychange', endIfHidden);
        endIfHidden();
        const silence = new Silence(end);
        const result = await this.#core.transport.open(this.#core.peer(record), ending.signal);
        if (result.code === 'done') {
            this.#delay = minimumDelay;
            this.#report(record, 'connected');
            await this.#follow(record, result.value, silence);
            ending.abort();
        }
        silence.end();
        this.#stopping.removeEventListener('abort', end);
        document.removeEventListener('visibilitychange', endIfHidden);
        const isIntended = this.#stopping.aborted || document.hidden;
        if (!isIntended) this.#report(record, 'disconnected', result.code);
        return result;
    }

    async #follow(record, stream, silence) {
        const events = new EventReader();
        const reader = stream.getReader();
        for (;;) {
            const piece = await nextPiece(reader);
            const texts = piece && events.take(piece);
            if (!texts) return;
            silence.restart();
            for (const hint of texts.map(hintIn)) {
                if (hint) this.#listener({ ...hint, device: record.device });
            }
        }
    }

    #report(record, kind, code) {
        this.#listener({ kind, code, account: publicAccount(record), device: record.device });
    }

    /** With jitter, so that not all devices come back at once. */
    async #pause(retryAfterSeconds = 0) {
        const backoff = this.#delay * (0.5 + Math.random() / 2);
        this.#delay = Math.min(this.#delay * 2, maximumDelay);
        await pause(Math.max(backoff, retryAfterSeconds * 1_000), this.#stopping);
    }
}

/** Waits that long, or until `signal`. */
async function pause(milliseconds, signal) {
    await new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        const stop = () => {
            clearTimeout(timer);
            resolve();
        };
        signal.addEventListener('abort', stop, { once: true });
    });
}

/** Undefined at the end, also if the connection broke: the caller connects again. */
async function nextPiece(reader) {
    try {
        return (await reader.read()).value;
    } catch {
        return undefined;
    }
}

/** Ends a connection that is silent for too long. */
class Silence {
    #end;
    #timer;

    constructor(end) {
        this.#end = end;
        this.restart();
    }

    restart() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#end, silenceMilliseconds);
    }

    end() {
        clearTimeout(this.#timer);
    }
}
