// Notifications when the page is closed, over the push service of the browser (RFC 8030).

import { areEqual, fromBase64url } from './bytes.js';
import { done } from './core.js';
import { trustedWorker } from './trusted-worker.js';

export class Notifications {
    #device;
    #key;
    #isOn = false;

    constructor(device, { pushKey }) {
        this.#device = device;
        this.#key = pushKey;
    }

    /** Whether the browser and the verifier have a push service. */
    get isSupported() {
        return this.#key !== undefined && 'PushManager' in globalThis
            && 'serviceWorker' in navigator;
    }

    get isOn() {
        return this.#isOn;
    }

    /** Reads whether the browser has a subscription for the current key. */
    async load() {
        if (!this.isSupported) return;
        const held = await heldSubscription();
        this.#isOn = held !== undefined && this.#isForKey(held);
    }

    /** Sets the subscription at the verifier again, for accounts that were added. */
    async repeat() {
        return this.#isOn ? this.set(true) : done();
    }

    /** @param {boolean} isOn */
    async set(isOn) {
        const setting = isOn ? await this.#subscribed() : { kind: 'off' };
        if (!setting) return { code: 'notificationsDenied' };
        const { value: accounts = [] } = await this.#device.accounts();
        for (const account of accounts) {
            const answer = await this.#device.setPush(account, setting);
            if (answer.code !== 'done') return answer;
        }
        if (!isOn) await (await heldSubscription())?.unsubscribe();
        this.#isOn = isOn;
        return done();
    }

    /** The setting for the verifier; undefined if the person or the browser refuses. */
    async #subscribed() {
        if (await Notification.requestPermission() !== 'granted') return undefined;
        const registration = await navigator.serviceWorker.register(
            trustedWorker('/approve/service-worker.js'), { scope: '/approve/' },
        );
        await navigator.serviceWorker.ready;
        // A browser has one subscription: one for an earlier key of the verifier must end first.
        const held = await heldSubscription();
        if (held && !this.#isForKey(held)) await held.unsubscribe();
        try {
            const subscription = await registration.pushManager.subscribe({
                userVisibleOnly: true, applicationServerKey: fromBase64url(this.#key),
            });
            const { endpoint, keys } = subscription.toJSON();
            return { kind: 'web', subscription: { endpoint, key: keys.p256dh, secret: keys.auth } };
        } catch (error) {
            if (error instanceof DOMException) return undefined;
            throw error;
        }
    }

    #isForKey({ options }) {
        const held = new Uint8Array(options.applicationServerKey ?? 0);
        return areEqual(held, fromBase64url(this.#key));
    }
}

/** The subscription of this browser, or undefined. */
async function heldSubscription() {
    const registration = await navigator.serviceWorker.getRegistration('/approve/');
    return await registration?.pushManager.getSubscription() ?? undefined;
}
