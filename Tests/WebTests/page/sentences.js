// What a person reads about a result.

import { changeSentence, sentence } from '/approve/sentences.js';
import { languages, texts } from '/approve/texts.js';

export const of = (answer, context) => sentence(answer, context);
export const unexpected = () => texts.unexpected;
export const ofChange = (change, account) => changeSentence(change, account);
export const namedDevice = (language, name) => languages[language].namedDevice(name);
