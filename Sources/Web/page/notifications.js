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

    /** Reads whether the browser still has a subscription for this verifier. */
    async load() {
        if (!this.isSupported) return;
        const subscription = await this.#subscription();
        this.#isOn = subscription !== null && this.#isForVerifier(subscription);
    }

    /** A further account gets notifications too, if they are on. */
    async extend() {
        await this.load();
        if (this.#isOn) await this.set(true);
    }

    /** @param {boolean} isOn */
    async set(isOn) {
        const setting = isOn ? await this.#subscribed() : { kind: 'off' };
        if (setting.code) return setting;
        const { value: accounts = [] } = await this.#device.accounts();
        for (const account of accounts) {
            const answer = await this.#device.setPush(account, setting);
            // A revoked device approves nothing.
            if (['done', 'deviceRevoked'].includes(answer.code)) continue;
            if (!isOn) return answer;
            await this.#unsubscribe();
            // The verifier does not use this push service.
            return answer.code === 'invalidArgument' ? { code: 'notificationsRefused' } : answer;
        }
        if (!isOn) await this.#unsubscribe();
        this.#isOn = isOn;
        return done();
    }

    /** The setting for the verifier, or the reason why there is none. */
    async #subscribed() {
        if (await Notification.requestPermission() !== 'granted') {
            return { code: 'notificationsDenied' };
        }
        const registration = await navigator.serviceWorker.register(
            trustedWorker('/approve/service-worker.js'), { scope: '/approve/' },
        );
        await navigator.serviceWorker.ready;
        const former = await this.#subscription();
        // A browser has one subscription, for one key.
        if (former && !this.#isForVerifier(former)) await former.unsubscribe();
        try {
            const subscription = await registration.pushManager.subscribe({
                userVisibleOnly: true, applicationServerKey: fromBase64url(this.#key),
            });
            const { endpoint, keys } = subscription.toJSON();
            return { kind: 'web', subscription: { endpoint, key: keys.p256dh, secret: keys.auth } };
        } catch (error) {
            if (!(error instanceof DOMException)) throw error;
            const isDenied = error.name === 'NotAllowedError';
            return { code: isDenied ? 'notificationsDenied' : 'notificationsFailed' };
        }
    }

    /** @returns {Promise<PushSubscription | null>} */
    async #subscription() {
        const registration = await navigator.serviceWorker.getRegistration('/approve/');
        return await registration?.pushManager.getSubscription() ?? null;
    }

    #isForVerifier({ options }) {
        const { applicationServerKey: key } = options;
        return key !== null && areEqual(new Uint8Array(key), fromBase64url(this.#key));
    }

    async #unsubscribe() {
        this.#isOn = false;
        await (await this.#subscription())?.unsubscribe();
    }
}
