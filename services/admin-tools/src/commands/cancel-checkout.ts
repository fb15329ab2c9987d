import type { Command } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'
import { checkoutRecord } from '../records.ts'
import { sessionOption } from './complete-checkout.ts'

export const cancelCheckout: Command = {
  name: 'cancel-checkout',
  summary: 'Cancels a checkout session and releases its coupon.',
  options: [storeOption, sessionOption],
  examples: ['--store rusty-isles --session 411486491630370840'],
  async run(values, services) {
    const store = await findStore(services, values.required('store'))
    const request = { checkoutId: values.required('session') }
    const { session } = await services.checkout.cancelCheckoutSession(request, services.call(store.id))
    return { records: session ? [checkoutRecord(session)] : [], list: false }
  },
}
