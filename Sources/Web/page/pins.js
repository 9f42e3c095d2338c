// The rules for new PINs. Only the device can check them, before it derives a seed.

/** Keypad patterns, famous numbers and counting patterns that the other rules do not find. */
const common = new Set((
    '2580 0852 1379 1397 3179 1478 1236 3698 1590 147258 258369 '
    + '147369 369147 147852 258963 963852 852741 741963 963741 159357 '
    + '357159 159753 753159 951357 357951 753951 951753 258456 456258 '
    + '852456 456852 134679 137946 139713 142536 145236 124578 235689 '
    + '326598 147896 369874 123698 321478 789632 987412 258025 741236 '
    + '963214 123580 147258369 963852741 147896325 123698745 159357258 '
    + '14725836 14789632 12369874 '
    + '3141 2718 5683 314159 141592 271828 141421 161803 299792 '
    + '602214 662607 867530 142857 428571 8675309 3141592 2718281 '
    + '31415926 27182818 11235813 14142135 5201314 1314520 131452 '
    + '203040 302010 192837 918273 123450 123457 234560 124816 248163 '
    + '333221 246810 108642 135246 246135 131415 123412 12345600 '
    + '12345670 1020304050 10203040 12345679 12312312 1231231234'
).split(' '));

/**
 * The first rule that a new PIN breaks, or undefined.
 * @param {string} pin
 * @param {{ minimumDigits: number, maximumDigits: number }} policy
 */
export function brokenRule(pin, { minimumDigits, maximumDigits }) {
    if (!/^[0-9]*$/.test(pin)) return 'notDigits';
    if (pin.length < minimumDigits) return 'tooShort';
    if (pin.length > maximumDigits) return 'tooLong';
    const digits = Array.from(pin, Number);
    if (repeatsItself(pin)) return 'repeated';
    if (isSequence(digits) || isSequenceByHalves(digits)) return 'sequence';
    if (isDate(pin)) return 'date';
    return common.has(pin) ? 'commonlyChosen' : undefined;
}

/** 121212, 123123, 123321, 117711. */
function repeatsItself(pin) {
    if (new Set(pin).size < 3 || [...pin].reverse().join('') === pin) return true;
    return [...pin].some((_, place) => {
        const period = place + 1;
        return period <= pin.length / 2 && pin.length % period === 0
            && pin.slice(0, period).repeat(pin.length / period) === pin;
    });
}

/** 123456, 975319, 112233: equal steps between digits or between groups of equal digits. */
function isSequence(digits) {
    return [1, 2, 3].some((group) => {
        if (digits.length % group !== 0 || digits.length / group < 3) return false;
        const isGrouped = digits.every((digit, at) => digit === digits[at - at % group]);
        return isGrouped && hasEqualSteps(digits.filter((_, at) => at % group === 0));
    });
}

/** 123789, 456321: halves of at least three digits that rise, fall or stay. */
function isSequenceByHalves(digits) {
    const half = digits.length / 2;
    if (digits.length < 6 || !Number.isInteger(half)) return false;
    return [digits.slice(0, half), digits.slice(half)]
        .every((part) => [0, 1, 9].includes(step(part, 0)) && hasEqualSteps(part));
}

/** Upwards, from 0 to 9: after 9 comes 0. */
const step = (digits, place) => (digits[place + 1] - digits[place] + 10) % 10;

const hasEqualSteps = (digits) =>
    digits.slice(1).every((_, place) => step(digits, place) === step(digits, 0));

// MARK: Dates

function isDate(pin) {
    const day = (at, month) => isDay(pin.slice(at, at + 2), pin.slice(month, month + 2));
    const month = (at) => isMonth(pin.slice(at, at + 2));
    const year = (at) => ['19', '20'].includes(pin.slice(at, at + 2));
    switch (pin.length) {
    case 4: return year(0) || day(0, 2) || day(2, 0);
    case 6:
        return (year(0) && month(4)) || (year(2) && month(0))
            || day(0, 2) || day(2, 0) || day(4, 2);
    case 8: return (year(4) && (day(0, 2) || day(2, 0))) || (year(0) && day(6, 4));
    default: return false;
    }
}

const isMonth = (text) => Number(text) >= 1 && Number(text) <= 12;

function isDay(text, monthText) {
    if (!isMonth(monthText)) return false;
    const month = Number(monthText);
    const days = month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31;
    return Number(text) >= 1 && Number(text) <= days;
}
