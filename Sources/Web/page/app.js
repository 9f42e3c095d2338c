// The start of the page: opens the device, and shows the first screen.

import { argon2id } from './argon2.js';
import { Device } from './device.js';
import { paragraph } from './elements.js';
import { invitationOf } from './invitation.js';
import { Notifications } from './notifications.js';
import { passkeys } from './passkeys.js';
import { loadReader } from './reader.js';
import { announce, show } from './screen.js';
import { showActivation } from './screens/activation.js';
import { showLogin } from './screens/login.js';
import { refreshRequests, showRequests } from './screens/requests.js';
import { sentence } from './sentences.js';
import { language, texts } from './texts.js';

/** What the screens share. */
class Page {
    isConnected = true;
    #stopEvents;

    constructor(device, verifier) {
        this.device = device;
        this.notifications = new Notifications(device, verifier);
    }

    async accounts() {
        const answer = await this.device.accounts();
        return answer.code === 'done' ? answer.value : [];
    }

    /** The first screen, by the link and by what this browser has. */
    async start(invitation = { kind: 'none' }) {
        const accounts = await this.accounts();
        if (invitation.kind === 'activation') return showActivation(this, invitation);
        if (invitation.kind === 'login') return this.#startLogin(invitation, accounts);
        if (accounts.length === 0) {
            return showActivation(this, { isDamaged: invitation.kind === 'damaged' });
        }
        if (invitation.kind === 'damaged') announce(texts.linkDamaged);
        await this.#listen();
        return this.showRequests();
    }

    /** The policy of the bank names the pages that may begin a login. */
    #startLogin({ data, returnURL }, accounts) {
        const account = accounts.find(({ policy }) =>
            policy.returnAddresses.includes(returnURL.origin));
        if (account) return showLogin(this, { account, data, returnURL });
        announce(texts.loginRefused(returnURL.host));
        return this.start();
    }

    showRequests() {
        return showRequests(this);
    }

    /** A browser may keep a page that was left, with its connections. */
    pause() {
        this.#stopEvents?.();
        this.#stopEvents = undefined;
    }

    /** The person comes back to the page that the browser kept. */
    async resume() {
        if ((await this.accounts()).length > 0) await this.#listen();
    }

    leave(address) {
        location.assign(address);
    }

    /** Hints only replace the list: never a request that the person reads. */
    async #listen() {
        if (this.#stopEvents) return;
        const listening = await this.device.events(({ kind }) => {
            if (kind === 'connected' || kind === 'disconnected') {
                this.isConnected = kind === 'connected';
            }
            refreshRequests(this);
        });
        if (listening.code === 'done') this.#stopEvents = listening.value.stop;
    }
}

async function begin() {
    document.documentElement.lang = language;
    show('Countersign', paragraph(texts.working));
    const invitation = invitationOf(location.hash);
    // The link may contain an activation code.
    if (location.hash) history.replaceState(null, '', location.pathname);
    const [verifier, reader] = await Promise.all([fetchVerifier(), loadReader()]);
    const opened = await Device.open({ verifier, reader, argon2: argon2id, passkeys });
    if (opened.code !== 'done') return show('Countersign', paragraph(sentence(opened), 'error'));
    const page = new Page(opened.value, verifier);
    addEventListener('pagehide', () => page.pause());
    addEventListener('pageshow', ({ persisted }) => persisted && page.resume());
    return page.start(invitation);
}

async function fetchVerifier() {
    const response = await fetch('/approve/verifier.json', { cache: 'no-store', redirect: 'error' });
    if (!response.ok) throw new Error(`the keys of the verifier: ${response.status}`);
    return response.json();
}

/** An error that no screen expects: nothing was approved by it. */
function fail(error) {
    console.error(error);
    show('Countersign', paragraph(navigator.onLine ? texts.unexpected : texts.offline, 'error'));
}

// A link that is opened in this tab changes the fragment only.
addEventListener('hashchange', () => location.reload());
addEventListener('unhandledrejection', ({ reason }) => fail(reason));
begin().catch(fail);
