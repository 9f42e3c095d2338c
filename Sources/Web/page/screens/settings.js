// The PIN, notifications, changes by others, and the end of this device.

import { button, element, facts, form, paragraph, pinField } from '../elements.js';
import { leftByEarlierChange } from '../accounts.js';
import { announce, errorPlace, note, show, unlessLeft } from '../screen.js';
import { changeSentence, sentence } from '../sentences.js';
import { shownTime, texts } from '../texts.js';
import { showActivation } from './activation.js';
import { accountName, accountNames, ofAccount } from './names.js';

export async function showSettings(page) {
    const isShown = unlessLeft();
    const [accounts, unfinished] = [await page.accounts(), await page.unfinished()];
    await page.notifications.load();
    if (!isShown()) return;
    const removal = (label) => (account) => button(
        `${label}: ${accountName(account)}`, () => showRemoval(page, account), 'danger',
    );
    show(
        texts.settings,
        accounts.length > 0 ? button(texts.changePIN, () => showPINChange(page)) : undefined,
        button(texts.setUpAnother, () => showActivation(page)),
        ...(accounts.length > 0 ? notifications(page) : []),
        ...accounts.map(removal(texts.remove)),
        ...unfinished.map(removal(texts.removeUnfinished)),
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
        const isShown = unlessLeft();
        const answer = await page.notifications.set(!isOn);
        const failure = answer.code === 'done'
            ? '' : ofAccount(answer.account, sentence(answer));
        if (page.notifications.isOn === isOn) return error.say(failure);
        // Some accounts may have failed.
        if (!isShown()) return failure && note(failure);
        if (failure) announce(failure);
        return showSettings(page);
    });
    const state = isOn ? paragraph(texts.notifying) : undefined;
    return [element('h2', {}, texts.notifications), state, change, error.place];
}

async function showPINChange(page) {
    const isShown = unlessLeft();
    // Updates the policies. Without the verifier, the rules are those of before, and no PIN changes.
    await page.device.status();
    const accounts = await page.accounts();
    if (!isShown()) return;
    // Another tab may have removed the last one.
    if (accounts.length === 0) return page.start();
    const left = leftByEarlierChange(accounts);
    const policy = lengthsOf(accounts);
    const back = button(texts.back, () => showSettings(page));
    if (policy.minimumDigits > policy.maximumDigits) {
        return show(texts.changePIN, paragraph(texts.noCommonPIN, 'error'), back);
    }
    const old = pinField(texts.oldPIN);
    const pin = pinField(texts.newPIN);
    const again = pinField(texts.newPINAgain);
    const error = errorPlace();
    show(
        texts.changePIN,
        left.length > 0 ? paragraph(texts.pinChangeUnfinished(accountNames(left)), 'error') : undefined,
        paragraph(texts.pinRule(policy.minimumDigits, policy.maximumDigits)),
        form([...old.rows, ...pin.rows, ...again.rows, error.place], texts.changePIN, change),
        back,
    );
    old.input.focus();

    async function change() {
        error.clear();
        const isShown = unlessLeft();
        if (pin.input.value !== again.input.value) return error.say(texts.pinsDiffer, pin.input);
        const answer = await page.device.changePIN(old.input.value, pin.input.value, accounts);
        if (['done', 'pinChangedBefore'].includes(answer.code)) {
            const text = answer.code === 'done' ? texts.pinChanged : sentence(answer);
            if (!isShown()) return note(text);
            announce(text);
            return showSettings(page);
        }
        const isNew = ['pinPolicy', 'otherNewPIN'].includes(answer.code);
        const wrong = isNew ? pin.input : old.input;
        const other = accounts.length > 1 ? answer.account : undefined;
        error.say(ofAccount(other, failedChange({ ...answer, policy })), wrong);
    }
}

/** The lengths that the rules of all accounts allow. */
const lengthsOf = (accounts) => ({
    minimumDigits: Math.max(...accounts.map(({ policy }) => policy.minimumDigits)),
    maximumDigits: Math.min(...accounts.map(({ policy }) => policy.maximumDigits)),
});

/** One advice only: to stop, to repeat the change, or to correct the input. */
function failedChange(answer) {
    const { code, cause, changed = [], remaining } = answer;
    const isRepeatable = !['not signed', 'unsigned refusal'].includes(cause);
    if (code === 'unknownResult' && isRepeatable) return texts.pinUnknown;
    if (code === 'unknownResult' || changed.length === 0) return sentence(answer);
    return [sentence(answer), texts.pinChangedPartly(accountNames(remaining))].join(' ');
}

/** What the person sees above each screen while there are changes that no screen showed. */
export const warningOfChanges = (page) => [
    paragraph(texts.newChanges, 'error'), button(texts.showChanges, () => showChanges(page)),
];

export async function showChanges(page) {
    const parts = [];
    const seen = [];
    const isShown = unlessLeft();
    for (const account of await page.accounts()) {
        const answer = await page.device.changes(account);
        parts.push(element('h2', {}, accountName(account)), ...changesOf(account, answer));
        if (answer.code === 'done') seen.push({ account, changes: answer.value.changes });
    }
    if (!isShown()) return;
    show(
        texts.changes,
        ...parts,
        paragraph(texts.changesAdvice),
        button(texts.back, () => page.showRequests()),
    );
    for (const { account, changes } of seen) await page.device.noteSeenChanges(account, changes);
    await page.lookForChanges();
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
        const isShown = unlessLeft();
        const answer = await page.device.remove(account);
        if (answer.code !== 'done') return error.say(sentence(answer));
        page.notifications.renew();
        const text = answer.value.isKnownToVerifier ? texts.removed : texts.removedHereOnly;
        if (!isShown()) return note(text);
        announce(text);
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
