// Shows a notification for a push message, which proves nothing and names nothing.

const texts = {
    en: { title: 'A request waits', body: 'Open it to read and decide.' },
    de: { title: 'Ein Auftrag wartet', body: 'Öffnen Sie ihn, um ihn zu lesen und zu entscheiden.' },
};

/** The language that the page chooses: see `chosenLanguage` in texts.js. */
const chosenLanguage = () => navigator.languages
    .map((tag) => tag.split('-')[0].toLowerCase()).find((name) => name in texts) ?? 'en';

addEventListener('push', (event) => {
    const language = chosenLanguage();
    const { title, body } = texts[language];
    event.waitUntil(registration.showNotification(title, {
        body, lang: language, tag: 'request', renotify: true,
    }));
});

addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openPage());
});

async function openPage() {
    // A page that was open before this worker is not one of its clients.
    const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find(({ url }) => new URL(url).pathname === '/approve/');
    if (page) return page.focus();
    return clients.openWindow('/approve/');
}
