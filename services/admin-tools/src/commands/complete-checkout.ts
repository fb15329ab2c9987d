import type { Command, CommandOption } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'
import { checkoutRecord } from '../records.ts'

export const sessionOption: CommandOption = {
  name: 'session',
  value: '<id>',
  help: 'Id of the checkout session.',
  required: true,
  fields: ['checkout_id'],
}

export const completeCheckout: Command = {
  name: 'complete-checkout',
  summary: 'Marks a checkout session as paid, as your payment provider would.',
  options: [storeOption, sessionOption],
  examples: ['--store rusty-isles --session 411486491630370840'],
  async run(values, services) {
    const store = await findStore(services, values.required('store'))
    const request = { checkoutId: values.required('session') }
    const { session } = await services.checkout.completeCheckoutSession(request, services.call(store.id))
    return { records: session ? [checkoutRecord(session)] : [], list: false }
  },
}
