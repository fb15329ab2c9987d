// Loads the page again when its content has changed on the server. Polls after `data-poll-seconds`, then less and less often,
// only while the page is visible, and stops after half an hour. Without script, the shopper follows the link "Check again".

const shown = textOf(document)
const lastMs = performance.now() + 30 * 60_000
let seconds = Number(document.body.dataset.pollSeconds)

while (performance.now() < lastMs) {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  if (document.hidden) {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
  }
  if (await hasChanged().catch(() => false)) {
    location.reload()
    break
  }
  seconds = Math.min(seconds * 1.5, 60)
}

async function hasChanged() {
  // A paid checkout can redirect to the store, which only the browser can follow.
  const response = await fetch(location.href, { redirect: 'manual' })
  if (response.type === 'opaqueredirect') return true
  if (response.status === 429 || response.status >= 500) return false
  return textOf(new DOMParser().parseFromString(await response.text(), 'text/html')) !== shown
}

/** Without regard to time zones: `local-time.js` changes the text of times. */
function textOf(page) {
  const main = page.querySelector('main').cloneNode(true)
  for (const time of main.querySelectorAll('time')) time.textContent = time.dateTime
  return main.textContent
}
