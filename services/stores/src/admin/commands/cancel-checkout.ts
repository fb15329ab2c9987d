import type { Command } from '../command.ts'
import { findStore, storeFlag } from '../find-store.ts'
import { checkoutRecord } from '../records.ts'

export const cancelCheckout: Command = {
  name: 'cancel-checkout',
  summary: 'Says that a checkout session will not be paid; its coupon can be used again.',
  flags: [
    storeFlag,
    { name: 'session', value: '<id>', help: 'Of the checkout session.', required: true, members: ['checkout_id'] },
  ],
  examples: ['--store rusty-isles --session 411486491630370840'],
  async run(values, services) {
    const store = await findStore(services, values.text('store'))
    const request = { checkoutId: values.text('session') }
    const { session } = await services.checkout.cancelCheckoutSession(request, services.call(store.id))
    return { records: session ? [checkoutRecord(session)] : [], list: false }
  },
}
