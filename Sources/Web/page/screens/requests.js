// What waits for a decision.

import { Coalesced } from '../coalesced.js';
import { button, element, isolated, paragraph, update } from '../elements.js';
import { show, unlessLeft } from '../screen.js';
import { sentence } from '../sentences.js';
import { texts } from '../texts.js';
import { accountName, ofAccount } from './names.js';
import { showRequest } from './request.js';
import { showChanges, showSettings } from './settings.js';

/** What waits now. Each look is many requests, and the verifier limits the requests of a device. */
const looking = new Coalesced(async (page) => {
    const answer = await page.device.pending();
    // Another page may have added or removed accounts.
    const accounts = await page.device.accounts();
    if (accounts.code !== 'done') return { answer, isOver: false };
    await page.listenTo(accounts.value);
    return { answer, isOver: accounts.value.length === 0 };
});

export async function showRequests(page) {
    const isShown = unlessLeft();
    const { answer, isOver } = await looking.run(page);
    if (!isShown()) return;
    if (isOver) return page.start();
    const list = element('div', { class: 'waiting', 'aria-live': 'polite' });
    fill(list, page, answer);
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

/** A stream begins with several hints, which are one look. */
const hintMilliseconds = 100;

const refreshing = new Coalesced(refresh, hintMilliseconds);

export const refreshRequests = (page) => refreshing.run(page);

/** Changes the list only, so that the focus stays, and never another screen. */
async function refresh(page) {
    const shownList = () => document.querySelector('.waiting');
    // A list that is about to be shown gets the change, too.
    if (!shownList() && !looking.isRunning) return;
    const { answer, isOver } = await looking.run(page);
    const list = shownList();
    if (!list) return;
    if (isOver) return page.start();
    const hadFocus = list.contains(document.activeElement);
    fill(list, page, answer);
    if (hadFocus && !list.contains(document.activeElement)) document.querySelector('h1').focus();
}

/** The requests by the ids of their rows: a row stays while its request is fetched again. */
let listed = new Map();

const rowID = ({ account, content }) => `request-${account.device}-${content.id}`;

function fill(list, page, answer) {
    const { transactions, failures } = answer.code === 'done'
        ? answer.value : { transactions: [], failures: [answer] };
    refreshAtDeadline(page, transactions);
    listed = new Map(transactions.map((transaction) => [rowID(transaction), transaction]));
    const rows = list.querySelector('ul') ?? element('ul', { class: 'requests' });
    update(rows, transactions.map((transaction) => element('li', {}, row(page, transaction))));
    const isEmpty = transactions.length === 0 && failures.length === 0;
    update(list, [
        ...failures.map((failure) =>
            paragraph(ofAccount(failure.account, sentence(failure)), 'error')),
        ...(isEmpty ? [paragraph(texts.nothingWaits)] : []),
        rows,
        paragraph(texts[page.connection], 'hint'),
    ]);
}

function row(page, transaction) {
    const { title, amounts } = transaction.content;
    const id = rowID(transaction);
    const made = button('', () => showRequest(page, listed.get(id)), 'row');
    made.id = id;
    made.append(
        ...[title, ...amounts].flatMap((line) => [isolated(line), element('br')]),
        element('span', { class: 'hint' }, isolated(accountName(transaction.account))),
    );
    return made;
}
