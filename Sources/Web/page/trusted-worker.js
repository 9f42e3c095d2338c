// The one place that makes an address of a script: only our own workers pass.

const workers = [
    new URL('argon2-worker.js', import.meta.url).href,
    new URL('/approve/service-worker.js', location.href).href,
];

const policy = globalThis.trustedTypes?.createPolicy('countersign', {
    createScriptURL(address) {
        if (workers.includes(new URL(address, location.href).href)) return address;
        throw new TypeError('not a worker of this page');
    },
});

/** Browsers without Trusted Types take the address as it is. */
export const trustedWorker = (address) => policy?.createScriptURL(address) ?? address;
