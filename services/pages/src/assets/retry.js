// Resubmits a form that failed, after the delay in `data-retry-seconds`. Without JavaScript, the shopper presses the button.

const form = document.querySelector('form[data-retry-seconds]')
const timer = setTimeout(
  () => form.requestSubmit(form.querySelector('button')),
  Number(form.dataset.retrySeconds) * 1000,
)
// The back button can restore the page as it was left, and must not submit the form.
form.addEventListener('submit', () => clearTimeout(timer))
