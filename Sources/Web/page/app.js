// The start of the page: opens the device, and shows the first screen.

import { argon2id, loadArgon2 } from './argon2.js';
import { Device } from './device.js';
import { paragraph } from './elements.js';
import { invitationOf } from './invitation.js';
import { AnswerFailure, Page } from './page.js';
import { passkeys } from './passkeys.js';
import { loadReader } from './reader.js';
import { clearInputs, show } from './screen.js';
import { sentence } from './sentences.js';
import { language, texts } from './texts.js';

/** The page shows nothing before this time is over, or its files are here. */
const startMilliseconds = 30_000;

async function begin() {
    document.documentElement.lang = language;
    show('Countersign', paragraph(texts.working));
    const invitation = invitationOf(location.hash);
    const [verifier, reader] = await Promise.all([
        fetchVerifier(),
        loadReader(AbortSignal.timeout(startMilliseconds)),
    ]);
    const opened = await Device.open({
        verifier, fetchVerifier, reader, argon2: argon2id, passkeys,
    });
    if (opened.code !== 'done') return showFailure(sentence(opened));
    // WebKit keeps the open transactions of a page that was left, and those of the next page wait.
    addEventListener('pagehide', () => opened.value.close());
    // A browser may keep the page itself, too.
    addEventListener('pagehide', clearInputs);
    const page = new Page(opened.value, verifier);
    // The first screen does not wait for it, and the first PIN repeats a failed load.
    loadArgon2().catch(() => {});
    page.notifications.renew();
    await page.start(invitation);
    // The link may contain an activation code. A page whose start failed needs it again.
    if (location.hash) history.replaceState(null, '', location.pathname);
}

async function fetchVerifier() {
    const response = await fetch('/approve/verifier.json', {
        cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(startMilliseconds),
    });
    if (!response.ok) throw new Error(`the keys of the verifier: ${response.status}`);
    return response.json();
}

const showFailure = (text) => show('Countersign', paragraph(text, 'error'));

/** An error that no screen expects. */
function fail(error) {
    console.error(error);
    if (error instanceof AnswerFailure) return showFailure(sentence(error.answer));
    showFailure(navigator.onLine ? texts.unexpected : texts.offline);
}

// A link that is opened in this tab changes only the fragment.
addEventListener('hashchange', () => location.reload());
// The browser shows a page again whose database is closed.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
addEventListener('unhandledrejection', ({ reason }) => fail(reason));
begin().catch(fail);
