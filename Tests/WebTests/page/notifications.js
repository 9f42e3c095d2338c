// Notifications with a push service of the test: Chromium's own needs the network.

import { Notifications } from '/approve/notifications.js';

let held = null;

const bytes = (key) => key instanceof Uint8Array ? key.slice().buffer : key;

/** A browser has one subscription, for one key. */
async function subscribe({ applicationServerKey }) {
    const key = bytes(applicationServerKey);
    const isOther = held && String(new Uint8Array(held.options.applicationServerKey))
        !== String(new Uint8Array(key));
    if (isOther) throw new DOMException('another key', 'InvalidStateError');
    held ??= {
        options: { applicationServerKey: key },
        unsubscribe: async () => {
            held = null;
            return true;
        },
        toJSON: () => ({
            endpoint: `https://push.example/${applicationServerKey[1]}`,
            keys: { p256dh: 'key', auth: 'secret' },
        }),
    };
    return held;
}

let device;
let notifications;

/** A page of a verifier with this key, and of a browser with these accounts. */
export async function open(pushKey, accounts) {
    Object.assign(PushManager.prototype, { subscribe, getSubscription: async () => held });
    Notification.requestPermission = async () => 'granted';
    device = {
        settings: {},
        accounts: async () => ({ code: 'done', value: accounts }),
        async setPush(account, setting) {
            this.settings[account] = setting.subscription?.endpoint ?? setting.kind;
            return { code: 'done' };
        },
    };
    notifications = new Notifications(device, { pushKey });
    await notifications.load();
}

export const set = async (isOn) => (await notifications.set(isOn)).code;
export const repeat = async () => (await notifications.repeat()).code;
export const state = () => ({ isOn: notifications.isOn, settings: device.settings });
