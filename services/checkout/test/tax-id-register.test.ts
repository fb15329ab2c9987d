import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { internal } from '@storekeep/common/testing'
import { TaxIdCheck } from '@storekeep/proto/checkout/v1/checkout_session'
import { TaxMode } from '@storekeep/proto/stores/v1/store'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { inline, newBuyer, shopper, useCheckouts } from './harness.ts'

const register = { paths: [] as string[], status: 200, response: {} as object }
const server = createServer((request, response) => {
  register.paths.push(request.url ?? '')
  response.writeHead(register.status, { 'content-type': 'application/json' }).end(JSON.stringify(register.response))
})
const checkouts = useCheckouts(async (env) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { ...env, VAT_CHECK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest-api/` }
})
afterAll(() => void server.close())
beforeEach(() => {
  Object.assign(register, { paths: [], status: 200, response: { isValid: true, userError: 'VALID' } })
  // Responses are remembered for some minutes.
  checkouts.clock.advance(3_600_000)
})

const german = { mode: TaxMode.EXCLUSIVE, country: 'DE', registrations: [{ country: 'FR', name: 'TVA' }] }

/** Names a tax id in a new session for 10.00. */
async function update(billingCountry: string, billingTaxId: string) {
  const { options, customerId } = newBuyer(checkouts)
  const { storeId } = options
  checkouts.others.stores.taxes.set(storeId, german)
  const { token } = await checkouts.client.createCheckoutSession({ customerId, lines: [inline()] }, options)
  const request = { token, billingCountry, billingTaxId }
  const { session } = await checkouts.client.updateTaxDetails(request, shopper(storeId))
  return {
    session,
    prepare: async () => {
      const named = { session: { case: 'token' as const, value: token } }
      return (await checkouts.client.preparePayment(named, internal({ storeId }))).session
    },
  }
}

const vatId = 'FR40303265045'

describe('a VAT id', () => {
  it('makes the business owe the tax once the register has confirmed it, and stays confirmed', async () => {
    const { session, prepare } = await update('FR', '40 303 265 045')
    expect(session).toMatchObject({ totalAmount: 1000n, tax: { reverseCharge: true } })
    expect(session?.tax?.evidence?.taxIdCheck).toBe(TaxIdCheck.CONFIRMED)
    expect(register.paths).toEqual(['/rest-api/ms/FR/vat/40303265045'])
    checkouts.clock.advance(3_600_000)
    register.status = 500
    expect(await prepare()).toMatchObject({ totalAmount: 1000n, tax: { reverseCharge: true } })
  })

  it.each([
    ['is not registered', { isValid: false, userError: 'INVALID' }, 200, TaxIdCheck.INVALID],
    ['cannot be checked', { isValid: false, userError: 'MS_UNAVAILABLE' }, 200, TaxIdCheck.UNCONFIRMED],
    ['gets no response', {}, 503, TaxIdCheck.UNCONFIRMED],
    ['gets a response that is not understood', [], 200, TaxIdCheck.UNCONFIRMED],
  ])('that %s changes no tax', async (_, response, status, check) => {
    Object.assign(register, { response, status })
    const { session } = await update('FR', vatId)
    expect(session).toMatchObject({ totalAmount: 1200n, tax: { reverseCharge: false } })
    expect(session?.tax?.evidence?.taxIdCheck).toBe(check)
  })

  it('is only checked if that can change the tax, and once for several buyers', async () => {
    await update('FR', 'FR40303265046')
    await update('DE', 'DE136695976')
    await update('US', '12-3456789')
    expect(register.paths).toEqual([])
    await update('FR', vatId)
    await update('FR', vatId)
    await update('GR', '094259216')
    expect(register.paths).toEqual(['/rest-api/ms/FR/vat/40303265045', '/rest-api/ms/EL/vat/094259216'])
  })
})
