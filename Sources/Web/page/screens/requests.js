// What waits for a decision.

import { button, element, isolated, paragraph } from '../elements.js';
import { show, unlessLeft } from '../screen.js';
import { sentence } from '../sentences.js';
import { texts } from '../texts.js';
import { accountName, ofAccount } from './names.js';
import { showRequest } from './request.js';
import { showChanges, showSettings } from './settings.js';

/** The number of hints so far: a list that is older than the last one is not shown. */
let hints = 0;

export async function showRequests(page) {
    const list = element('div', { class: 'waiting', 'aria-live': 'polite' });
    const isShown = unlessLeft();
    let known;
    let isOver;
    do {
        known = hints;
        const answer = await page.device.pending();
        isOver = await hasNoAccount(page);
        list.replaceChildren(...waiting(page, answer));
    } while (known !== hints);
    if (!isShown()) return;
    if (isOver) return page.start();
    show(
        texts.requestsTitle,
        list,
        button(texts.refresh, () => refreshRequests(page)),
        element(
            'nav', {},
            button(texts.changes, () => showChanges(page)),
            button(texts.settings, () => showSettings(page)),
        ),
    );
}

/** After the next deadline, the list is looked at again. */
let expiry;
const longestPause = 2 ** 31 - 1;

function refreshAtDeadline(page, transactions) {
    clearTimeout(expiry);
    const deadlines = transactions.map(({ content }) => content.deadline);
    if (deadlines.length === 0) return;
    // A wrong clock must not make a loop of requests.
    const pause = Math.max(10_000, Math.min(...deadlines) - page.device.now() + 1_000);
    expiry = setTimeout(() => refreshRequests(page), Math.min(pause, longestPause));
}

/** Replaces the list only, so that the focus stays, and never another screen. */
export async function refreshRequests(page) {
    hints += 1;
    const known = hints;
    const list = document.querySelector('.waiting');
    if (!list) return;
    const answer = await page.device.pending();
    const isOver = await hasNoAccount(page);
    if (known !== hints || !list.isConnected) return;
    if (isOver) return page.start();
    const focused = document.activeElement?.closest('.waiting button')?.id;
    list.replaceChildren(...waiting(page, answer));
    if (focused) (document.getElementById(focused) ?? document.querySelector('h1')).focus();
}

/** Whether all accounts were removed, maybe on another page. */
async function hasNoAccount(page) {
    const { code, value } = await page.device.accounts();
    return code === 'done' && value.length === 0;
}

function waiting(page, answer) {
    const { transactions, failures } = answer.code === 'done'
        ? answer.value : { transactions: [], failures: [answer] };
    refreshAtDeadline(page, transactions);
    const isEmpty = transactions.length === 0 && failures.length === 0;
    return [
        ...failures.map((failure) => 
            paragraph(ofAccount(failure.account, sentence(failure)), 'error')),
        ...(isEmpty ? [paragraph(texts.nothingWaits)] : []),
        element('ul', { class: 'requests' }, transactions.map((transaction) =>
            element('li', {}, row(page, transaction)))),
        paragraph(page.isConnected ? texts.connected : texts.disconnected, 'hint'),
    ];
}

function row(page, transaction) {
    const { title, amounts } = transaction.content;
    const made = button('', () => showRequest(page, transaction), 'row');
    made.id = `request-${transaction.content.id}`;
    made.append(
        ...[title, ...amounts].flatMap((line) => [isolated(line), element('br')]),
        element('span', { class: 'hint' }, isolated(accountName(transaction.account))),
    );
    return made;
}
