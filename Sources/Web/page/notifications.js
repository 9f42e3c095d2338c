// Notifications when the page is closed, over the push service of the browser (RFC 8030).

import { areEqual, fromBase64url } from './bytes.js';
import { done } from './core.js';
import { trustedWorker } from './trusted-worker.js';

const renewalMilliseconds = 24 * 60 * 60 * 1_000;

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
        this.#isOn = await this.#current() !== undefined;
    }

    /**
     * Sends the subscription to the accounts that did not confirm it for a day. An account may be new,
     * and the verifier may have lost the subscription. Nothing is sent if notifications are off.
     * The browser ends the subscription if no account is left.
     */
    async renew() {
        const current = await this.#current();
        if (!current) return;
        const setting = settingOf(current);
        const { endpoint } = setting.subscription;
        const last = this.#device.now() - renewalMilliseconds;
        const isDue = ({ confirmedPush }) =>
            confirmedPush?.endpoint !== endpoint || confirmedPush.moment < last;
        const { value: accounts } = await this.#device.accounts();
        if (accounts?.length === 0) await this.#unsubscribed();
        else if (accounts) await this.#setAll(setting, accounts.filter(isDue));
    }

    /**
     * Sets all accounts, and returns the first failure. They are off if the browser ends its
     * subscription, and on if the verifier accepts this for one account.
     * @param {boolean} isOn
     */
    async set(isOn) {
        const setting = isOn ? await this.#subscribed() : await this.#unsubscribed();
        if (setting.code) return setting;
        const accounts = await this.#device.accounts();
        const answers = accounts.code === 'done'
            ? await this.#setAll(setting, accounts.value) : [accounts];
        this.#isOn = isOn && answers.some(({ code }) => code === 'done');
        if (isOn && !this.#isOn) await this.#unsubscribed();
        // A revoked device approves nothing: it counts only if no other one can be notified.
        const failures = answers.filter(({ code }) => code !== 'done');
        const failure = failures.find(({ code }) => code !== 'deviceRevoked')
            ?? (isOn === this.#isOn ? undefined : failures[0]);
        if (isOn && answers.length === 0) return { code: 'accountMissing' };
        if (!failure) return done();
        // The verifier does not use this push service.
        const isOfService = isOn && failure.code === 'invalidArgument';
        return isOfService ? { ...failure, code: 'notificationsRefused' } : failure;
    }

    /** One answer for each account, which is named if there are others. */
    async #setAll(setting, accounts) {
        const answers = [];
        for (const account of accounts) {
            const answer = await this.#device.setPush(account, setting);
            const named = accounts.length > 1 ? account : undefined;
            answers.push({ ...answer, account: named });
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
        try {
            const former = await this.#read();
            // A browser has one subscription, for one key.
            if (former && !this.#isForVerifier(former)) await former.unsubscribe();
            return settingOf(await registration.pushManager.subscribe({
                userVisibleOnly: true, applicationServerKey: fromBase64url(this.#key),
            }));
        } catch (error) {
            if (!(error instanceof DOMException)) throw error;
            const isDenied = error.name === 'NotAllowedError';
            return { code: isDenied ? 'notificationsDenied' : 'notificationsFailed' };
        }
    }

    /** The same without a subscription: `renew` must not send it again. */
    async #unsubscribed() {
        const isEnded = await unlessRefused(async () => {
            await (await this.#read())?.unsubscribe();
            return true;
        });
        return isEnded ? { kind: 'off' } : { code: 'notificationsFailed' };
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

    /** The subscription for this verifier; undefined if there is none, or if it cannot be read. */
    async #current() {
        if (!this.isSupported) return undefined;
        const subscription = await unlessRefused(() => this.#read());
        return subscription && this.#isForVerifier(subscription) ? subscription : undefined;
    }

    /** @returns {Promise<PushSubscription | null | undefined>} */
    async #read() {
        const registration = await navigator.serviceWorker.getRegistration('/approve/');
        return registration?.pushManager.getSubscription();
    }

    #isForVerifier({ options }) {
        const { applicationServerKey: key } = options;
        return key !== null && areEqual(new Uint8Array(key), fromBase64url(this.#key));
    }
}

/** The setting for the verifier. */
function settingOf(subscription) {
    const { endpoint, keys } = subscription.toJSON();
    return { kind: 'web', subscription: { endpoint, key: keys.p256dh, secret: keys.auth } };
}

/** Undefined if the browser or its push service refuses the request. */
async function unlessRefused(request) {
    try {
        return await request();
    } catch (error) {
        if (error instanceof DOMException) return undefined;
        throw error;
    }
}
