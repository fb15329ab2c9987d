// Repeats a request that failed, after the delay in `data-retry-seconds` and while the page is visible. Without script, the shopper
// presses the button.

const form = document.querySelector('form[data-retry-seconds]')
let isDue = false
const timer = setTimeout(() => {
  isDue = true
  repeat()
}, Number(form.dataset.retrySeconds) * 1000)
document.addEventListener('visibilitychange', repeat)
form.querySelector('[data-retrying]').hidden = false

function repeat() {
  if (isDue && !document.hidden) form.requestSubmit(form.querySelector('button'))
}

// The back button can restore the page as it was left, and must not submit the form.
form.addEventListener('submit', () => {
  clearTimeout(timer)
  document.removeEventListener('visibilitychange', repeat)
})
