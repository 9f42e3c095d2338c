// Argon2id of libargon2 as WebAssembly, in a worker: the page stays usable meanwhile.

import { trustedWorker } from './trusted-worker.js';

/** A module whose only function returns a vector. A browser without SIMD finds it invalid. */
const vectorModule = new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // the start of each module
    1, 5, 1, 0x60, 0, 1, 0x7b, // a type: nothing to a vector
    3, 2, 1, 0, // a function of this type
    10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b, // 0 in each of 16 bytes
]);

export const hasVectors = WebAssembly.validate(vectorModule);

const workerAddress = new URL('argon2-worker.js', import.meta.url).href;

/** For each load of the files. */
const loadMilliseconds = 30_000;

let loading;
/** The end of the derivation before. Each needs much memory, so they run one after the other. */
let previous = Promise.resolve();

/**
 * The key of a password, after any derivation that is under way.
 * @param {Uint8Array} password
 * @param {Uint8Array} salt at least 8 bytes
 * @param {{ passes: number, memoryKiB: number, lanes: number }} cost
 * @returns {Promise<Uint8Array>}
 */
export function argon2id(password, salt, cost, byteCount = 32) {
    // Copied now, because callers overwrite the password. The worker gets the copy itself, which then
    // has no bytes here.
    const request = { password: password.slice(), salt: salt.slice(), cost, byteCount };
    const result = previous.then(() => deriveInWorker(request));
    previous = result.catch(() => {});
    return result;
}

async function deriveInWorker(request) {
    const module = await loadArgon2().catch((error) => {
        request.password.fill(0);
        throw error;
    });
    const worker = new Worker(trustedWorker(workerAddress), { type: 'module' });
    try {
        const answer = await new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = () => reject(new Error('the worker failed'));
            worker.onmessageerror = worker.onerror;
            worker.postMessage({ ...request, module }, [request.password.buffer]);
        });
        if (!answer.key) throw new Error(`Argon2id failed: ${answer.failure}`);
        return answer.key;
    } finally {
        worker.terminate();
    }
}

/**
 * Loads the files before the first derivation: an upgrade of the verifier removes them. After a failure,
 * the next derivation loads them again. The module is compiled once: a browser makes code faster after
 * its first use.
 */
export async function loadArgon2() {
    const own = loading ??= loadFiles();
    try {
        return await own;
    } catch (error) {
        // Another caller can have begun again.
        if (loading === own) loading = undefined;
        throw error;
    }
}

/** The compiled module. The worker stays in the cache of the browser. */
async function loadFiles() {
    const signal = AbortSignal.timeout(loadMilliseconds);
    const address = new URL(hasVectors ? 'argon2-simd.wasm' : 'argon2.wasm', import.meta.url);
    const [module] = await Promise.all([
        WebAssembly.compileStreaming(fetch(address, { signal })),
        loadWorker(signal),
    ]);
    return module;
}

async function loadWorker(signal) {
    const response = await fetch(workerAddress, { signal });
    if (!response.ok) throw new Error(`the worker of Argon2id: ${response.status}`);
    await response.arrayBuffer();
}
