// The one place that makes an address of a script: only our own workers pass.

const policy = globalThis.trustedTypes?.createPolicy('countersign', {
    createScriptURL(address) {
        const { origin, pathname } = new URL(address, location.href);
        const isOurs = origin === location.origin && pathname.startsWith('/approve/')
            && pathname.endsWith('-worker.js');
        if (!isOurs) throw new TypeError('not a worker of this page');
        return address;
    },
});

/** Browsers without Trusted Types take the address as it is. */
export const trustedWorker = (address) => policy?.createScriptURL(address) ?? address;
