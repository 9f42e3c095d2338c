// Exchanges with the verifier: docs/protocol/transport.md.
//
// A response counts only if its signature is valid and its body obeys the protocol. Everything else
// is an unknown result.

import { joined, readOrNothing } from './bytes.js';
import { readJSON } from './json.js';
import { readProblem, routes, written } from './messages.js';
import { requestFields, signedRequest, signerOfResponse, signerOfStream } from './signatures.js';
import { StoreFailure } from './store.js';

const maximumResponseBytes = 131_072;
/** A request and its retry, while the body is in memory. */
const maximumAttempts = 2;
const timeoutMilliseconds = 30_000;

/**
 * The two ends of an exchange.
 * @typedef {{
 *     device: string, key: CryptoKey, serverKeys: Uint8Array[],
 *     onSigner?: (key: Uint8Array) => Promise<void>,
 *     onAnnouncement?: (names: string) => Promise<void>,
 * }} Peer
 *
 * A result: `done` with the value, a refusal with its member, or `unknownResult`.
 * @typedef {{ code: string, value?: any, [member: string]: any }} Result
 */

/** Whether the verifier may have processed the message of this result. */
export const mayBeProcessed = ({ code }) => ['unknownResult', 'serverUnavailable'].includes(code);

/** Whether the verifier refuses a request for this reason before it looks for its result. */
const precedesProcessing = ({ code }) =>
    ['rateLimited', 'clockSkew', 'upgradeRequired'].includes(code);

/** @returns {Result} */
const unknown = (cause) => ({ code: 'unknownResult', cause });

export class Transport {
    #origin;
    #fetch;
    #now;
    #clock;

    /**
     * @param {{
     *     origin: string, fetch: typeof fetch, now: () => number,
     *     clock: { offset: number, store: (offset: number) => Promise<void> },
     * }} options `now` is in milliseconds
     */
    constructor({ origin, fetch, now, clock }) {
        this.#origin = origin;
        this.#fetch = fetch;
        this.#now = now;
        this.#clock = clock;
    }

    /**
     * Sends a message. Its result is unknown only after a retry with the same body.
     * @param {import('./messages.js').Route} route
     * @param {Peer} peer
     * @returns {Promise<Result>}
     */
    async exchange(route, message, peer) {
        const body = written(message);
        const unclear = [];
        let result = await this.#sendWithRetry(route, body, peer, unclear);
        if (result.code === 'clockSkew') {
            await this.#adjustClock(result.serverTime);
            result = await this.#sendWithRetry(route, body, peer, unclear);
        }
        // This refusal is of the repeated request: the verifier may have processed the first one.
        return precedesProcessing(result) ? unclear.at(-1) ?? result : result;
    }

    /** Adds the results after which the verifier may have processed the message to `unclear`. */
    async #sendWithRetry(route, body, peer, unclear) {
        for (let attempt = 1; ; attempt++) {
            const result = await this.#sendOnce(route, body, peer);
            if (!mayBeProcessed(result)) return result;
            unclear.push(result);
            if (attempt === maximumAttempts) return result;
        }
    }

    async #sendOnce(route, body, peer) {
        const request = await this.#sign(route, body, peer);
        const signal = AbortSignal.timeout(timeoutMilliseconds);
        const response = await this.#response(request, body, signal);
        if (!response) return unknown('network');
        const received = await bodyOf(response);
        if (!received) return unknown('network');
        return this.#read(route, response, received, request, peer);
    }

    /** The result of a response whose signature is valid. */
    async #read(route, response, body, request, peer) {
        const { status, headers } = response;
        const signer = await signerOfResponse({ status, headers, body }, request, peer.serverKeys);
        if (!signer) return unknown(causeWithoutSigner(response));
        const result = readOrNothing(() => readResult(route, status, headers, body));
        if (!result) return unknown('malformed');
        await peer.onSigner?.(signer);
        const announced = headers.get('countersign-announced-keys');
        if (announced !== null && route !== routes.status) await peer.onAnnouncement?.(announced);
        return result;
    }

    /**
     * Opens the event stream.
     * @param {Peer} peer
     * @param {AbortSignal} signal
     * @returns {Promise<Result>} the value has the pieces of the stream
     */
    async open(peer, signal) {
        const result = await this.#openOnce(peer, signal);
        if (result.code !== 'clockSkew') return result;
        await this.#adjustClock(result.serverTime);
        return this.#openOnce(peer, signal);
    }

    async #openOnce(peer, signal) {
        const body = written({});
        const request = await this.#sign(routes.events, body, peer);
        const response = await this.#response(request, body, signal);
        if (!response) return unknown('network');
        if (response.status !== 200) {
            const received = await bodyOf(response);
            if (!received) return unknown('network');
            return this.#read(routes.events, response, received, request, peer);
        }
        const isStream = response.headers.get('content-type') === 'text/event-stream';
        const signer = isStream && await signerOfStream(response, request, peer.serverKeys);
        if (signer) return { code: 'done', value: response.body };
        await response.body?.cancel();
        return unknown('not signed');
    }

    /** The time of the verifier's clock, in milliseconds. */
    now() {
        return this.#now() + this.#clock.offset;
    }

    async #adjustClock(serverTime) {
        this.#clock.offset = serverTime - this.#now();
        try {
            await this.#clock.store(this.#clock.offset);
        } catch (error) {
            // The offset counts for this page. The next one gets it from the verifier again.
            if (!(error instanceof StoreFailure)) throw error;
        }
    }

    #sign(route, body, peer) {
        const created = Math.floor(this.now() / 1000);
        return signedRequest(
            { method: 'POST', target: this.#origin + route.path, type: 'application/json', body },
            { device: peer.device, key: peer.key, created },
        );
    }

    /** Undefined if there is no response. No redirect, cache, cookie or referrer is used. */
    async #response(request, body, signal) {
        const fetch = this.#fetch;
        try {
            return await fetch(request.target, {
                method: request.method,
                headers: requestFields(request),
                body,
                signal,
                mode: 'same-origin',
                redirect: 'error',
                credentials: 'omit',
                cache: 'no-store',
                referrerPolicy: 'no-referrer',
            });
        } catch {
            // Without a response the result is unknown, whatever the cause.
            return undefined;
        }
    }
}

/**
 * The likely cause of a response that the verifier did not sign. It sends 401 to an unknown device.
 * Proxies send 5xx in an outage. Other unsigned responses come from another server.
 */
function causeWithoutSigner({ status, headers }) {
    if (headers.has('signature')) return 'not signed';
    if (status >= 500) return 'network';
    return status === 401 ? 'unsigned refusal' : 'not signed';
}

/** The body up to the limit; undefined if it is longer or is cut off. */
async function bodyOf(response) {
    if (!response.body) return new Uint8Array(0);
    const reader = response.body.getReader();
    const pieces = [];
    let count = 0;
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return joined(...pieces);
            count += value.length;
            if (count > maximumResponseBytes) break;
            pieces.push(value);
        }
        await reader.cancel();
    } catch {
        // The connection broke: there is no whole body.
    }
    return undefined;
}

function readResult(route, status, headers, body) {
    const type = headers.get('content-type');
    if (status === 200 && type === 'application/json') {
        return { code: 'done', value: route.response(readJSON(body, route.limits)) };
    }
    if (type !== 'application/problem+json') return undefined;
    const problem = readProblem(body);
    return problem.status === status ? problem : undefined;
}
