import type { Command, CommandOption } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'
import { paymentRecord } from '../records.ts'

export const sessionOption: CommandOption = {
  name: 'session',
  value: '<id>',
  help: 'Id of the checkout session.',
  required: true,
  fields: ['checkout_id'],
}

export const completeCheckout: Command = {
  name: 'complete-checkout',
  summary: 'Records that a checkout session was paid outside of Storekeep, and creates its order.',
  options: [storeOption, sessionOption],
  examples: ['--store rusty-isles --session 411486491630370840'],
  async run(values, services) {
    const store = await findStore(services, values.required('store'))
    const request = { checkoutId: values.required('session') }
    const { payment } = await services.payments.recordPayment(request, services.call(store.id))
    return { records: payment ? [paymentRecord(payment)] : [], list: false }
  },
}
