// Setting up: the id and the code of an activation, then a PIN.

import { field, form, paragraph, pinField } from '../elements.js';
import { announce, errorPlace, show } from '../screen.js';
import { sentence } from '../sentences.js';
import { texts } from '../texts.js';
import { accountName } from './names.js';

/** @param {{ activation?: string, code?: string, isDamaged?: boolean }} invitation */
export function showActivation(page, invitation = {}) {
    const id = field(texts.activationID, {
        class: 'code', maxlength: '64', value: invitation.activation,
    }, texts.activationIDHint);
    const code = field(texts.activationCode, {
        class: 'code', maxlength: '64', value: invitation.code,
    }, texts.activationCodeHint);
    const name = field(texts.deviceName, {
        maxlength: '64', value: texts.defaultDeviceName,
    }, texts.deviceNameHint);
    const error = errorPlace(invitation.isDamaged ? texts.linkDamaged : '');

    show(
        texts.setUpTitle,
        paragraph(texts.setUpIntroduction),
        form([...id.rows, ...code.rows, ...name.rows, error.place], texts.next, claim),
    );
    if (invitation.activation) code.input.focus();

    async function claim() {
        error.clear();
        const { device } = page;
        const answer = await device.claim(id.input.value, code.input.value, name.input.value);
        if (answer.code === 'done') return showPIN(page, answer.value);
        error.say(sentence(answer), wrongInput(answer.code));
    }

    function wrongInput(answerCode) {
        switch (answerCode) {
        case 'activationIDMistyped': return id.input;
        case 'deviceNameInvalid': return name.input;
        default: return code.input;
        }
    }
}

/** The first account gets a new PIN; further ones have the PIN of the others. */
async function showPIN(page, offer) {
    const held = await page.device.accounts();
    const isFirst = held.code === 'done' && held.value.length === 0;
    const pin = pinField(isFirst ? texts.newPIN : texts.pin);
    const again = pinField(texts.newPINAgain);
    const error = errorPlace();
    const rule = isFirst
        ? texts.pinRule(offer.minimumDigits, offer.maximumDigits) : texts.typeExistingPIN;

    show(
        isFirst ? texts.choosePINTitle : texts.typePINTitle,
        paragraph(texts.setUpAccounts(offer.accounts.map(accountName).join(', '))),
        paragraph(rule),
        form([...pin.rows, ...(isFirst ? again.rows : []), error.place], texts.next, commit),
        paragraph(texts.browserLimits, 'hint'),
    );
    pin.input.focus();

    async function commit() {
        error.clear();
        if (isFirst && pin.input.value !== again.input.value) {
            return error.say(texts.pinsDiffer, pin.input);
        }
        const answer = await page.device.commit(offer, pin.input.value);
        if (answer.code === 'done') return showOutcome(page, answer.value);
        const numbers = { ...answer, policy: offer };
        error.say(sentence(numbers), pin.input);
    }
}

async function showOutcome(page, accounts) {
    const problems = accounts.filter(({ outcome }) => outcome !== 'enrolled').map(problem);
    if (problems.length === accounts.length) {
        return show(texts.setUpTitle, problems.map((text) => paragraph(text, 'error')));
    }
    await page.notifications.extend();
    announce([texts.setUpDone, ...problems].join(' '));
    return page.start();
}

function problem({ account, outcome }) {
    const name = accountName(account);
    return outcome === 'tooManyDevices'
        ? texts.tooManyDevices(name) : texts.accountReplacedBefore(name);
}
