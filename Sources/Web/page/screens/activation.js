// Setting up: the id and the code of an activation, then a PIN.

import { button, checkbox, field, form, paragraph, pinField } from '../elements.js';
import { announce, errorPlace, note, show, unlessLeft } from '../screen.js';
import { sentence } from '../sentences.js';
import { texts } from '../texts.js';
import { accountName, accountNames, ofAccount } from './names.js';
import { showSettings } from './settings.js';

const passkeyCodes = ['passkeyMissing', 'passkeyFailed'];

/** @param {{ activation?: string, code?: string, name?: string, isDamaged?: boolean }} invitation */
export async function showActivation(page, invitation = {}) {
    const accounts = await page.accounts();
    const isUnfinished = (await page.unfinished()).length > 0;
    const id = field(texts.activationID, {
        class: 'code', maxlength: '64', value: invitation.activation,
    }, texts.activationIDHint);
    const code = field(texts.activationCode, {
        class: 'code', maxlength: '64', value: invitation.code,
    }, texts.activationCodeHint);
    const name = field(texts.deviceName, {
        maxlength: '64', value: invitation.name ?? texts.defaultDeviceName,
    }, texts.deviceNameHint);
    const error = errorPlace(invitation.isDamaged ? texts.linkDamaged : '');

    show(
        texts.setUpTitle,
        paragraph(texts.setUpIntroduction),
        form([...id.rows, ...code.rows, ...name.rows, error.place], texts.next, claim),
        accounts.length > 0 ? button(texts.back, () => page.showRequests()) : undefined,
        isUnfinished ? button(texts.settings, () => showSettings(page)) : undefined,
    );
    if (invitation.activation) code.input.focus();

    async function claim() {
        error.clear();
        const isShown = unlessLeft();
        const typed = {
            activation: id.input.value, code: code.input.value, name: name.input.value.trim(),
        };
        const answer = await page.device.claim(typed.activation, typed.code, typed.name);
        if (answer.code === 'done') return isShown() && showPIN(page, answer.value, typed);
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
function showPIN(page, offer, typed) {
    const { needsNewPIN, needsPasskey, offersPasskey } = offer;
    const pin = pinField(needsNewPIN ? texts.newPIN : texts.pin);
    const again = pinField(texts.newPINAgain);
    const lock = checkbox(texts.useLock, true);
    const error = errorPlace();
    const rule = needsNewPIN
        ? texts.pinRule(offer.minimumDigits, offer.maximumDigits) : texts.typeExistingPIN;
    const rows = [
        ...pin.rows, ...(needsNewPIN ? again.rows : []), offersPasskey ? lock.row : undefined,
        error.place,
    ];

    show(
        needsNewPIN ? texts.choosePINTitle : texts.typePINTitle,
        paragraph(texts.setUpAccounts(accountNames(offer.accounts))),
        paragraph(rule),
        form(rows, texts.next, commit),
        paragraph(texts.browserLimits, 'hint'),
        button(texts.back, () => showActivation(page, typed)),
    );
    pin.input.focus();

    async function commit() {
        error.clear();
        const isShown = unlessLeft();
        if (needsNewPIN && pin.input.value !== again.input.value) {
            return error.say(texts.pinsDiffer, pin.input);
        }
        const usesPasskey = needsPasskey || (offersPasskey && lock.input.checked);
        const answer = await page.device.commit(offer, pin.input.value, { usesPasskey });
        if (answer.code === 'done') return showOutcome(page, answer.value, isShown);
        if (answer.code === 'pinSetMeanwhile') {
            if (!isShown()) return note(sentence(answer));
            announce(sentence(answer));
            return showPIN(page, answer.offer, typed);
        }
        if (offersPasskey && passkeyCodes.includes(answer.code)) {
            return error.say(texts.lockUnusable, lock.input);
        }
        error.say(ofAccount(answer.account, refusal(answer)), pin.input);
    }

    /** The PIN that the person already has may not follow the rules of now. */
    function refusal(answer) {
        return answer.code === 'pinPolicy' && !needsNewPIN
            ? texts.existingPINNotAllowed(offer.minimumDigits, offer.maximumDigits)
            : sentence({ ...answer, policy: offer });
    }
}

function showOutcome(page, accounts, isShown) {
    const problems = accounts.filter(({ outcome }) => outcome !== 'enrolled').map(problem);
    if (problems.length === accounts.length) {
        if (!isShown()) return note(problems.join(' '));
        return show(
            texts.setUpTitle,
            problems.map((text) => paragraph(text, 'error')),
            button(texts.back, () => page.start()),
        );
    }
    page.notifications.renew();
    if (!isShown()) return note([texts.setUpDone, ...problems].join(' '));
    announce([texts.setUpDone, ...problems].join(' '));
    return page.start();
}

function problem({ account, outcome }) {
    const name = accountName(account);
    return outcome === 'tooManyDevices'
        ? texts.tooManyDevices(name) : texts.accountReplacedBefore(name);
}
