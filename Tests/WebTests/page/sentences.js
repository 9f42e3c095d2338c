// What a person reads about a result.

import { changeSentence, sentence } from '/approve/sentences.js';
import { texts } from '/approve/texts.js';

export const of = (answer) => sentence(answer);
export const unexpected = () => texts.unexpected;
export const ofChange = (change, account) => changeSentence(change, account);
