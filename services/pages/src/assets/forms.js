// Prevents double submission and shows a pending state. Without script, the server handles repeated forms.

const pending = document.body.dataset.pending ?? ''

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute('data-once')) return
  if (form.ariaBusy === 'true') {
    event.preventDefault()
    return
  }
  form.ariaBusy = 'true'
  const button = event.submitter
  if (!(button instanceof HTMLButtonElement)) return
  // A disabled button would lose the focus, and its value would not be sent.
  button.ariaDisabled = 'true'
  button.dataset.label = button.textContent ?? ''
  button.textContent = pending
  button.classList.add('pending')
})

// The back button can restore the page as it was left.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-once]')) form.ariaBusy = 'false'
  for (const button of document.querySelectorAll('button.pending')) {
    button.ariaDisabled = 'false'
    button.textContent = button.dataset.label ?? ''
    button.classList.remove('pending')
  }
})
