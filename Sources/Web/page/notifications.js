// Notifications when the page is closed, over the push service of the browser (RFC 8030).

import { fromBase64url } from './bytes.js';
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

    /** Reads whether the browser has a subscription. */
    async load() {
        if (!this.isSupported) return;
        const registration = await navigator.serviceWorker.getRegistration('/approve/');
        this.#isOn = Boolean(await registration?.pushManager.getSubscription());
    }

    /** @param {boolean} isOn */
    async set(isOn) {
        const setting = isOn ? await this.#subscribed() : { kind: 'events' };
        if (!setting) return { code: 'notificationsDenied' };
        const { value: accounts = [] } = await this.#device.accounts();
        for (const account of accounts) {
            const answer = await this.#device.setPush(account, setting);
            if (answer.code !== 'done') return answer;
        }
        if (!isOn) await this.#unsubscribe();
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

    async #unsubscribe() {
        const registration = await navigator.serviceWorker.getRegistration('/approve/');
        const subscription = await registration?.pushManager.getSubscription();
        await subscription?.unsubscribe();
    }
}
