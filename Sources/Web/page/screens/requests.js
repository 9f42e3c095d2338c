// What waits for a decision.

import { button, element, isolated, paragraph } from '../elements.js';
import { show, unlessLeft } from '../screen.js';
import { sentence } from '../sentences.js';
import { texts } from '../texts.js';
import { accountName } from './names.js';
import { showRequest } from './request.js';
import { showChanges, showSettings } from './settings.js';

/** The number of the last call: the answer of an earlier one may come later, and is older. */
let last = 0;
/** The list with the state that it shows. An equal state replaces nothing under the finger. */
let shown = {};

export async function showRequests(page) {
    const call = last += 1;
    const isShown = unlessLeft();
    const answer = await page.device.pending();
    if (call !== last || !isShown()) return;
    const { transactions, failures } = answer.code === 'done'
        ? answer.value : { transactions: [], failures: [answer] };
    const problems = failures.map(problem);
    const state = JSON.stringify([transactions, problems, page.isConnected]);
    if (shown.list?.isConnected && shown.state === state) return;
    const list = element('ul', { class: 'requests' }, transactions.map((transaction) =>
        element('li', {}, row(page, transaction))));
    shown = { list, state };
    const isEmpty = transactions.length === 0 && failures.length === 0;
    show(
        texts.requestsTitle,
        problems.map((text) => paragraph(text, 'error')),
        isEmpty ? paragraph(texts.nothingWaits) : undefined,
        list,
        paragraph(page.isConnected ? texts.connected : texts.disconnected, 'hint'),
        button(texts.refresh, () => showRequests(page)),
        element(
            'nav', {},
            button(texts.changes, () => showChanges(page)),
            button(texts.settings, () => showSettings(page)),
        ),
    );
}

/** The account is named, because another account may have no problem. */
function problem(failure) {
    const text = sentence(failure);
    return failure.account ? `${accountName(failure.account)}: ${text}` : text;
}

function row(page, transaction) {
    const { title, amounts } = transaction.content;
    const made = button('', () => showRequest(page, transaction), 'row');
    made.append(
        ...[title, ...amounts].flatMap((line) => [isolated(line), element('br')]),
        element('span', { class: 'hint' }, isolated(accountName(transaction.account))),
    );
    return made;
}
