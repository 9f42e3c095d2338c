// What the screens share: the device, its connection, and the way from one screen to the next.

import { finalCodes } from './events.js';
import { Notifications } from './notifications.js';
import { announce } from './screen.js';
import { showActivation } from './screens/activation.js';
import { showLogins } from './screens/login.js';
import { refreshRequests, showRequests } from './screens/requests.js';
import { texts } from './texts.js';

export class Page {
    /** The devices whose event stream is broken. */
    #disconnected = new Set();
    #isListening = false;

    constructor(device, verifier) {
        this.device = device;
        this.notifications = new Notifications(device, verifier);
    }

    get isConnected() {
        return this.#disconnected.size === 0;
    }

    async accounts() {
        const answer = await this.device.accounts();
        return answer.code === 'done' ? answer.value : [];
    }

    /** The first screen, by the link and by what this browser has. */
    async start(invitation = { kind: 'none' }) {
        const accounts = await this.accounts();
        // Those of removed accounts never come back.
        this.#disconnected.clear();
        if (invitation.kind === 'activation') return showActivation(this, invitation);
        if (invitation.kind === 'login') return this.#startLogin(invitation, accounts);
        if (accounts.length === 0) {
            return showActivation(this, { isDamaged: invitation.kind === 'damaged' });
        }
        if (invitation.kind === 'damaged') announce(texts.linkDamaged);
        return this.showRequests();
    }

    /** The policy of the bank names the pages that may begin a login. */
    #startLogin({ data, returnURL }, accounts) {
        const allowed = accounts.filter(({ policy }) =>
            policy.returnAddresses.includes(returnURL.origin));
        if (allowed.length > 0) return showLogins(this, { accounts: allowed, data, returnURL });
        announce(accounts.length > 0
            ? texts.loginRefused(returnURL.host) : texts.codes.accountMissing);
        return this.start();
    }

    showRequests() {
        this.#listen();
        return showRequests(this);
    }

    /** Until the verifier rejects all devices. */
    async #listen() {
        if (this.#isListening) return;
        this.#isListening = true;
        const answer = await this.device.events((hint) => this.#take(hint));
        await answer.value?.ended;
        this.#isListening = false;
    }

    /** A hint only replaces the list: never a request that the person reads. */
    #take({ kind, code, device }) {
        if (kind === 'disconnected' && !finalCodes.includes(code)) this.#disconnected.add(device);
        else if (kind !== 'accountChange') this.#disconnected.delete(device);
        refreshRequests(this);
    }
}
