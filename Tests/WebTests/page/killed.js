// Checks the PIN at once, without a driver: the browser is killed when the code arrives.

import { checkPIN, open } from './device.js';

const { verifier, pin } = JSON.parse(decodeURIComponent(location.search.slice(1)));
const opened = await open(verifier);
const result = opened.code === 'done' ? await checkPIN(pin) : opened;
// Only a page that sent no code comes so far.
await fetch(`/failed?${JSON.stringify(result)}`);
