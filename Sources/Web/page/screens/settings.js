// The PIN, notifications, changes by others, and the end of this device.

import { button, element, facts, form, paragraph, pinField } from '../elements.js';
import { announce, errorPlace, show, unlessLeft } from '../screen.js';
import { changeSentence, sentence } from '../sentences.js';
import { shownTime, texts } from '../texts.js';
import { showActivation } from './activation.js';
import { accountName } from './names.js';

export async function showSettings(page) {
    const accounts = await page.accounts();
    await page.notifications.load();
    show(
        texts.settings,
        button(texts.changePIN, () => showPINChange(page)),
        button(texts.setUpAnother, () => showActivation(page)),
        ...notifications(page),
        ...accounts.map((account) => button(
            `${texts.remove}: ${accountName(account)}`,
            () => showRemoval(page, account),
            'danger',
        )),
        paragraph(texts.browserLimits, 'hint'),
        button(texts.back, () => page.showRequests()),
    );
}

function notifications(page) {
    const { isSupported, isOn } = page.notifications;
    if (!isSupported) return [];
    const error = errorPlace();
    const change = button(isOn ? texts.doNotNotify : texts.notify, async () => {
        error.clear();
        const answer = await page.notifications.set(!isOn);
        if (answer.code === 'done') return showSettings(page);
        error.say(sentence(answer));
    });
    const state = isOn ? paragraph(texts.notifying) : undefined;
    return [element('h2', {}, texts.notifications), state, change, error.place];
}

async function showPINChange(page) {
    const accounts = await page.accounts();
    const [{ policy }] = accounts;
    const old = pinField(texts.oldPIN);
    const pin = pinField(texts.newPIN);
    const again = pinField(texts.newPINAgain);
    const error = errorPlace();
    show(
        texts.changePIN,
        paragraph(texts.pinRule(policy.minimumDigits, policy.maximumDigits)),
        form([...old.rows, ...pin.rows, ...again.rows, error.place], texts.changePIN, change),
        button(texts.back, () => showSettings(page)),
    );
    old.input.focus();

    async function change() {
        error.clear();
        if (pin.input.value !== again.input.value) return error.say(texts.pinsDiffer, pin.input);
        const answer = await page.device.changePIN(old.input.value, pin.input.value, accounts);
        if (['done', 'pinChangedBefore'].includes(answer.code)) {
            announce(answer.code === 'done' ? texts.pinChanged : sentence(answer));
            return showSettings(page);
        }
        const wrong = answer.code === 'pinPolicy' ? pin.input : old.input;
        // A response that is not the bank's has its own advice: not to go on.
        const isUnknown = answer.code === 'unknownResult' && answer.cause !== 'not signed';
        const unknown = isUnknown ? [texts.pinUnknown] : [];
        error.say([sentence({ ...answer, policy }), ...unknown, ...remaining(answer)].join(' '), wrong);
    }
}

/** The accounts that still have the old PIN, after others got the new one. */
function remaining({ changed = [], remaining: accounts = [] }) {
    if (changed.length === 0) return [];
    return [texts.pinChangedPartly(accounts.map(accountName).join(', '))];
}

export async function showChanges(page) {
    const parts = [];
    const isShown = unlessLeft();
    for (const account of await page.accounts()) {
        const answer = await page.device.changes(account);
        parts.push(element('h2', {}, accountName(account)), ...changesOf(account, answer));
    }
    if (!isShown()) return;
    show(
        texts.changes,
        ...parts,
        paragraph(texts.changesAdvice),
        button(texts.back, () => page.showRequests()),
    );
}

function changesOf(account, answer) {
    if (answer.code !== 'done') return [paragraph(sentence(answer), 'error')];
    const { changes } = answer.value;
    if (changes.length === 0) return [paragraph(texts.noChanges)];
    return [facts(changes.map((change) => [
        shownTime(change.moment),
        changeSentence(change, accountName({ ...account, ...change.account })),
    ]))];
}

function showRemoval(page, account) {
    const error = errorPlace();
    const remove = button(texts.remove, async () => {
        error.clear();
        const answer = await page.device.remove(account);
        if (answer.code !== 'done') return error.say(sentence(answer));
        announce(answer.value.isKnownToVerifier ? texts.removed : texts.removedHereOnly);
        return page.start();
    }, 'danger');
    show(
        texts.removeTitle,
        paragraph(accountName(account), 'account'),
        paragraph(texts.removeExplanation),
        error.place,
        remove,
        button(texts.back, () => showSettings(page)),
    );
}
