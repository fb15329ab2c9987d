// Submits a form again that could not be processed, after the time that the server asked for. Without script, the shopper does.

const form = document.querySelector('form[data-retry-seconds]')
const timer = setTimeout(() => form.requestSubmit(), Number(form.dataset.retrySeconds) * 1000)
form.addEventListener('submit', () => clearTimeout(timer))
