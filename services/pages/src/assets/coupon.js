// Applies and removes a coupon without loading the whole page: submits the form, then takes the order and the payment form from
// the response. Without script, or if that fails, the browser submits the form.

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute('data-coupon')) return
  event.preventDefault()
  if (form.ariaBusy === 'true') return
  const fields = new URLSearchParams(new FormData(form, event.submitter))
  try {
    const response = await fetch(form.action, { method: 'POST', body: fields })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const parts = ['order-section', 'pay'].map((id) => [document.getElementById(id), page.getElementById(id)])
    if (!response.ok || parts.some(([before, after]) => !before || !after)) throw new Error('not a checkout page')
    for (const [before, after] of parts) {
      keepEntries(before, after)
      before.replaceWith(after)
    }
    // Its description is the feedback, which a screen reader reads with it.
    document.querySelector('[data-coupon] input, [data-coupon] button')?.focus()
  } catch {
    form.ariaBusy = 'false'
    // `submit` would leave out the button.
    for (const [name, value] of fields)
      if (!form.elements.namedItem(name)?.matches('input')) addHidden(form, name, value)
    form.submit()
  }
})

/** Keeps what the shopper has entered to pay. */
function keepEntries(before, after) {
  const email = after.querySelector('#email')
  if (email) email.value = before.querySelector('#email')?.value ?? email.value
  const method = before.querySelector('[name=method]:checked')?.value
  for (const choice of after.querySelectorAll('[name=method]')) if (choice.value === method) choice.checked = true
  for (const option of after.querySelectorAll('option')) {
    const { id } = option.closest('select')
    if (before.querySelector(`#${id}`)?.value === option.value) option.selected = true
  }
}

function addHidden(form, name, value) {
  const field = document.createElement('input')
  Object.assign(field, { type: 'hidden', name, value })
  form.append(field)
}
