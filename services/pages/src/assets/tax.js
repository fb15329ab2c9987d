// Applies the country and the tax id of the payment form as soon as they change, without loading the whole page. Without script, or if
// that fails, the button next to them does.

document.addEventListener('change', (event) => {
  if (event.target instanceof Element && event.target.hasAttribute('data-tax')) update(event.target)
})

// The page has chosen the country of the shopper's address.
const chosen = document.querySelector('[data-tax=changed]')
if (chosen) update(chosen)

async function update(field) {
  const { form } = field
  const button = form?.querySelector('[data-tax-update]')
  if (!button || form.country.value === '') return
  const fields = new URLSearchParams([
    ['country', form.country.value],
    ['tax_id', form.tax_id.value],
  ])
  try {
    const response = await fetch(button.formAction, { method: 'POST', body: fields })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const parts = ['order-section', 'pay'].map((id) => [document.getElementById(id), page.getElementById(id)])
    if (!response.ok || parts.some(([before, after]) => !before || !after)) return
    // Another change was made meanwhile, and is being applied.
    const current = document.getElementById('country')
    if (current?.value !== fields.get('country') || form.tax_id.value !== fields.get('tax_id')) return
    const focused = document.activeElement?.id
    for (const [before, after] of parts) {
      keepEntries(before, after)
      before.replaceWith(after)
    }
    if (focused) document.getElementById(focused)?.focus()
  } catch {
    // The shopper can use the button; paying applies the fields, too.
  }
}

/** Keeps what the shopper has entered, apart from the fields that were applied. */
function keepEntries(before, after) {
  for (const field of after.querySelectorAll('input:not([type=hidden], [type=radio], [data-tax])')) {
    const entered = field.id && before.querySelector(`#${field.id}`)
    if (entered) field.value = entered.value
  }
  const method = before.querySelector('[name=method]:checked')?.value
  for (const choice of after.querySelectorAll('[name=method]')) if (choice.value === method) choice.checked = true
  for (const select of after.querySelectorAll('select:not([data-tax])')) {
    const entered = select.id && before.querySelector(`#${select.id}`)
    if (entered) select.value = entered.value
  }
}
