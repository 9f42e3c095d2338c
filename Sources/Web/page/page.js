// What the screens share: the device, its connection, and the way from one screen to the next.

import { Coalesced } from './coalesced.js';
import { finalCodes } from './events.js';
import { Notifications } from './notifications.js';
import { allowsLoginReturn } from './policy.js';
import { announce, unlessLeft, warn } from './screen.js';
import { showActivation } from './screens/activation.js';
import { showFailedLogin, showLogins } from './screens/login.js';
import { ofAccount } from './screens/names.js';
import { refreshRequests, showRequests } from './screens/requests.js';
import { warningOfChanges } from './screens/settings.js';
import { sentence } from './sentences.js';
import { texts } from './texts.js';

/** The reasons for a missing stream that the list of requests names itself. */
const listedCodes = [...finalCodes, 'credentialLocked'];

/** An answer without which no screen can be shown. */
export class AnswerFailure extends Error {
    constructor(answer) {
        super(answer.code);
        this.answer = answer;
    }
}

function valueOf(answer) {
    if (answer.code !== 'done') throw new AnswerFailure(answer);
    return answer.value;
}

export class Page {
    /** The devices without an event stream, each with the code of the reason. */
    #broken = new Map();
    /** The event streams of the accounts; undefined if there are none. */
    #listening;
    #changes = new Coalesced(() => this.#showNewChanges());

    constructor(device, verifier) {
        this.device = device;
        this.notifications = new Notifications(device, verifier);
    }

    /**
     * The name of a text. A limit is a response of the verifier, such as one to too many open pages.
     * @returns {'connected' | 'limited' | 'disconnected'}
     */
    get connection() {
        const codes = [...this.#broken.values()];
        if (codes.some((code) => code !== 'rateLimited')) return 'disconnected';
        return codes.length > 0 ? 'limited' : 'connected';
    }

    /** Throws if the storage cannot be read: that is not a browser without accounts. */
    async accounts() {
        return valueOf(await this.device.accounts());
    }

    /** The accounts of activations whose result is unknown. */
    async unfinished() {
        return valueOf(await this.device.unfinished());
    }

    /** The first screen, by the link and by what this browser has. */
    async start(invitation = { kind: 'none' }) {
        const accounts = await this.accounts();
        // The accounts may be others now.
        await this.#stopListening();
        warn();
        if (accounts.length > 0) this.lookForChanges();
        if (invitation.kind === 'activation') return showActivation(this, invitation);
        if (invitation.kind === 'login') return this.#startLogin(invitation);
        if (accounts.length === 0) {
            return showActivation(this, { isDamaged: invitation.kind === 'damaged' });
        }
        if (invitation.kind === 'damaged') announce(texts.linkDamaged);
        return this.showRequests();
    }

    /**
     * The policy of the bank names the pages that may begin a login. Only that of now counts: the bank
     * may have removed a page from it, and the verifier does not see where a login goes.
     */
    async #startLogin(invitation) {
        const { data, returnURL } = invitation;
        const isShown = unlessLeft();
        const statuses = valueOf(await this.device.status());
        if (!isShown()) return undefined;
        const accounts = statuses.filter(({ code }) => code === 'done').map(({ account }) => account);
        const allowed = accounts.filter(({ policy }) =>
            allowsLoginReturn(policy, returnURL.origin));
        if (allowed.length > 0) return showLogins(this, { accounts: allowed, data, returnURL });
        const failure = statuses.find(({ code }) => code !== 'done');
        if (failure) {
            const text = ofAccount(failure.account, sentence(failure));
            return showFailedLogin(this, text, () => this.#startLogin(invitation));
        }
        if (accounts.length > 0) announce(texts.loginRefused(returnURL.host));
        else announce(texts.codes.accountMissing);
        return this.start();
    }

    showRequests() {
        this.#listen();
        return showRequests(this);
    }

    /** Until the verifier rejects all devices. */
    async #listen() {
        if (this.#listening) return;
        const listening = this.device.events((hint) => this.#take(hint));
        this.#listening = listening;
        const { value } = await listening;
        await value?.ended;
        if (this.#listening === listening) this.#listening = undefined;
    }

    /** Listens for these accounts instead, if another page added or removed some. */
    async listenTo(accounts) {
        const listening = await this.#listening;
        const devices = accounts.map(({ device }) => device);
        if (!listening?.value || String(listening.value.devices) === String(devices)) return;
        await this.#stopListening();
        this.#listen();
    }

    async #stopListening() {
        const listening = await this.#listening;
        this.#listening = undefined;
        listening?.value?.stop();
        this.#broken.clear();
    }

    /** Warns of changes of the accounts that no screen showed. */
    lookForChanges() {
        return this.#changes.run();
    }

    async #showNewChanges() {
        const { value: areNew } = await this.device.hasNewChanges();
        // A warning stays until it is known that there is nothing new.
        if (areNew === undefined) return;
        warn(...(areNew ? warningOfChanges(this) : []));
    }

    /** A hint only changes the list, and what is above: never a request that the person reads. */
    #take({ kind, code, device }) {
        if (kind === 'accountChange') this.lookForChanges();
        if (kind === 'disconnected' && !listedCodes.includes(code)) this.#broken.set(device, code);
        else if (kind !== 'accountChange') this.#broken.delete(device);
        refreshRequests(this);
    }
}
