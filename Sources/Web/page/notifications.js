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

    /**
     * Sets all accounts, and returns the first failure. They are off in the browser in any case, and on
     * if the verifier accepts this for one account.
     * @param {boolean} isOn
     */
    async set(isOn) {
        const setting = isOn ? await this.#subscribed() : { kind: 'off' };
        if (setting.code) return setting;
        const answers = await this.#setAll(setting);
        const failure = answers.find(({ code }) => code !== 'done');
        const isRefused = failure && answers.every(({ code }) => code !== 'done');
        if (!isOn || (isRefused && !this.#isOn)) await this.#unsubscribe();
        else this.#isOn = true;
        if (!failure) return done();
        // The verifier does not use this push service.
        const isOfService = isOn && failure.code === 'invalidArgument';
        return isOfService ? { ...failure, code: 'notificationsRefused' } : failure;
    }

    /** One answer for each account that counts; the account is named if there are others. */
    async #setAll(setting) {
        const accounts = await this.#device.accounts();
        if (accounts.code !== 'done') return [accounts];
        const answers = [];
        for (const account of accounts.value) {
            const answer = await this.#device.setPush(account, setting);
            const named = accounts.value.length > 1 ? account : undefined;
            // A revoked device approves nothing.
            if (answer.code !== 'deviceRevoked') answers.push({ ...answer, account: named });
        }
        return answers;
    }

    /** The setting for the verifier, or the reason why there is none. */
    async #subscribed() {
        if (await Notification.requestPermission() !== 'granted') {
            return { code: 'notificationsDenied' };
        }
        const registration = await this.#registered();
        if (!registration) return { code: 'serverUnavailable' };
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

    /** Undefined if the browser did not get the worker from the verifier. */
    async #registered() {
        const address = trustedWorker('/approve/service-worker.js');
        try {
            const registration = await navigator.serviceWorker.register(
                address, { scope: '/approve/' },
            );
            await navigator.serviceWorker.ready;
            return registration;
        } catch (error) {
            if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
            return undefined;
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
