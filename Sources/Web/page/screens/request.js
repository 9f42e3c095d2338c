// One request: all that an approval signs, and the decision.

import { button, element, facts, field, form, paragraph, pinField } from '../elements.js';
import { errorPlace, note, show, showOfRequest, unlessLeft } from '../screen.js';
import { joined, sentence } from '../sentences.js';
import { shownTime, texts } from '../texts.js';
import { accountName } from './names.js';
import { refreshRequests } from './requests.js';

const overCodes = ['transactionExpired', 'transactionAlreadyDecided', 'unknownTransaction'];

export function showRequest(page, transaction) {
    const { id, title } = transaction.content;
    showOfRequest(
        id,
        title,
        ...particulars(transaction),
        ...decision(page, transaction),
        button(texts.reject, () => showReasons(page, transaction), 'danger'),
        button(texts.back, () => page.showRequests()),
    );
}

/** The account has a label, because the rest of a long name can be like an account number. */
const payeeFacts = ({ name, account, merchant }) => [
    [texts.payee, name],
    merchant === undefined ? [texts.payeeAccount, account] : [texts.merchant, merchant],
];

/** Everything that the bank asks for, and nothing else. */
function particulars({ content, account }) {
    const amounts = content.amounts.map((amount) =>
        element('p', { class: 'amount', dir: 'ltr' }, amount));
    const own = facts([
        ...content.payees.flatMap(payeeFacts),
        [texts.kind, texts[content.context]],
        [texts.account, accountName(account)],
        ...(content.reference ? [[texts.reference, content.reference]] : []),
        [texts.deadline, shownTime(content.deadline)],
        [texts.identifier, content.id],
    ]);
    if (content.fields.length === 0) return [...amounts, own];
    // Apart from our own names: a label of the bank may equal one of them.
    const added = element(
        'section', { class: 'bank' },
        element('h2', {}, texts.details),
        facts(content.fields.map(({ label, value }) => [label, value])),
    );
    return [...amounts, own, added];
}

function decision(page, transaction) {
    const { authentication, typedDigits } = transaction;
    // Longer than the number, because the person may type spaces.
    const number = typedDigits === undefined ? undefined : field(
        texts.number, { inputmode: 'numeric', maxlength: '16' }, texts.numberHint(typedDigits),
    );
    const pin = pinField(texts.pin);
    const error = errorPlace();
    const rows = [...(number?.rows ?? []), ...pin.rows, error.place];
    const byPIN = form(rows, texts.approve, async () => {
        const { value } = pin.input;
        pin.input.value = '';
        const decide = (typed) => page.device.approve(transaction, value, typed);
        await conclude(decide, number ? 'pinOrNumber' : 'pin');
    });
    const byConsent = button(texts.approveWithoutPIN, () =>
        conclude((typed) => page.device.consent(transaction, typed), number ? 'number' : 'none'));
    const takesPIN = authentication.includes('userPIN');
    const takesConsent = authentication.includes('consent');
    if (takesPIN) return takesConsent ? [byPIN, byConsent] : [byPIN];
    if (takesConsent) return [...(number?.rows ?? []), error.place, byConsent];
    return [paragraph(texts.codes.authenticationTypeNotAllowed, 'error')];

    async function conclude(decide, input) {
        error.clear();
        const isShown = unlessLeft();
        const typed = number?.input.value.replaceAll(/\s/g, '') ?? '';
        const answer = await decide(typed);
        const { title } = transaction.content;
        if (answer.code === 'done') {
            return showEnd(page, transaction, texts.approved(title), { isShown });
        }
        if (overCodes.includes(answer.code)) {
            const decided = decidedAs('approved', answer, transaction);
            return showEnd(page, decided, sentence(answer), { isShown });
        }
        const fields = { pin: pin.input, pinOrNumber: pin.input, number: number?.input };
        const wrong = answer.code === 'numberMistyped' ? number.input : fields[input];
        error.say(sentence(answer, { input, decision: 'approval', takesPIN }), wrong);
    }
}

function showReasons(page, transaction) {
    const error = errorPlace();
    const choice = (label, reason, kind) => button(label, async () => {
        error.clear();
        const isShown = unlessLeft();
        const answer = await page.device.reject(transaction, reason);
        // A stranger may know the login data, whatever became of the rejection.
        const advice = reason === 'notMe' ? adviceAfter(answer) : undefined;
        if (answer.code === 'done') {
            const title = texts.rejected(transaction.content.title);
            return showEnd(page, transaction, title, { isShown, advice });
        }
        if (overCodes.includes(answer.code)) {
            const decided = decidedAs('rejected', answer, transaction);
            return showEnd(page, decided, sentence(answer), { isShown, advice });
        }
        error.say(joined(sentence(answer, { input: 'none', decision: 'rejection' }), advice));
    }, kind);
    show(
        texts.rejectTitle,
        choice(texts.notMe, 'notMe', 'danger'),
        choice(texts.wrongDetails, 'wrongDetails'),
        choice(texts.noLongerWanted, 'noLongerWanted'),
        choice(texts.unspecified, 'unspecified'),
        error.place,
        button(texts.back, () => showRequest(page, transaction)),
    );
}

/** After a lost response, the refusal names the person's own decision: the way back stays. */
const decidedAs = (state, { finalState }, transaction) => finalState === state ? transaction : {};

/** The verifier mutes hints only after it stored the rejection. */
const adviceAfter = ({ code }) => joined(texts.callBank, code === 'done' && texts.muted);

/**
 * The address is one that the policy of the bank allows, and the person sees its host.
 * @param {{ isShown: () => boolean, advice?: string }} options whether the person is still there
 */
function showEnd(page, { content, mayReturn }, title, { isShown, advice }) {
    if (!isShown()) {
        note(joined(title, advice));
        return refreshRequests(page);
    }
    const address = mayReturn ? content.returnAddress : undefined;
    const link = address && element(
        'a', { class: 'button', href: address, rel: 'noreferrer' },
        texts.continueAtBank(address.replace(/^([^/]*\/\/[^/?]*).*$/s, '$1')),
    );
    show(
        title,
        advice && paragraph(advice, 'error'),
        link,
        button(texts.goToRequests, () => page.showRequests()),
    );
}
