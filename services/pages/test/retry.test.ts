import { errors } from '@storekeep/common/errors'
import { useFakeService } from '@storekeep/common/testing'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { afterEach, describe, expect, it } from 'vitest'
import { startPages } from './start-pages.ts'

const orders = useFakeService(PaymentsService, {
  getPaymentState: () => Promise.reject(errors.unavailable()),
})

let pages: Awaited<ReturnType<typeof startPages>> | undefined
afterEach(() => pages?.stop())

async function start(limits: Record<string, string> = {}) {
  const none = '127.0.0.1:1'
  pages = await startPages({
    STORES_ADDRESS: none,
    ORDERS_ADDRESS: orders.address,
    ...limits,
  })
  return pages.send
}

/** After how many seconds the page repeats its request. */
const delayOf = (body: string) => Number(/<form [^>]*data-retry-seconds="(\d+)"/.exec(body)?.[1])

const token = 'a'.repeat(28)
const form = 'email=ada%40example.com&note=%3Cb%3E'

describe('the automatic retry of a page', () => {
  it('waits at least five seconds during an outage, and not always equally long', async () => {
    const send = await start()
    const request = async (path: string, sent?: string) => {
      const { status, retryAfter, body } = await send({ path: `${path}?t=${token}`, ...(sent && { form: sent }) })
      expect([status, retryAfter]).toEqual([503, '1'])
      return delayOf(body)
    }
    const requests = Array.from({ length: 10 }, () => [request('/'), request('/pay', form)])
    const delays = await Promise.all(requests.flat())
    expect(delays.filter((seconds) => !(seconds >= 5 && seconds <= 8))).toEqual([])
    expect(new Set(delays).size).toBeGreaterThan(1)
  })

  it.each(['get', 'post'])('becomes rarer, and is left to the shopper after some time: %s', async (method) => {
    const send = await start()
    let fields = new URLSearchParams(`t=${token}&note=%3Cb%3E`)
    const delays: number[] = []
    for (let attempt = 0; attempt < 20; attempt++) {
      const { body } = await send(
        method === 'get' ? { path: `/?${fields}` } : { path: `/pay?t=${token}`, form: `${fields}` },
      )
      const repeated = [...body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ])
      expect(repeated.slice(0, 2)).toEqual([
        ['t', token],
        ['note', '&lt;b&gt;'],
      ])
      fields = new URLSearchParams(repeated)
      fields.set('note', '<b>')
      expect(body).toContain(`<form method="${method}"`)
      expect(body).toContain('Try again</button>')
      delays.push(delayOf(body))
    }
    expect(delays.slice(0, 4).map((seconds, index) => seconds >= 5 * 2 ** index)).toEqual([true, true, true, true])
    expect(delays.slice(0, 18).every((seconds) => seconds <= 63)).toBe(true)
    expect(delays.slice(18)).toEqual([NaN, NaN])
  })

  // A store's address can be http or https. Forms of the portal redirect only to payment providers.
  it.each([
    ['checkout', 'pay.example', '/pay', "'self' http: https:"],
    ['portal', 'me.example', '/sign-out', "'self' https://checkout.stripe.com"],
  ])('waits until the limit that was reached allows it: %s', async (_site, host, path, formAction) => {
    const send = await start({ RATE_LIMIT_ADDRESS_PER_MINUTE: '2', RATE_LIMIT_FORM_ADDRESS_PER_MINUTE: '1' })
    await send({ host, path, form })

    const submitted = await send({ host, path, form })
    const loaded = await send({ host, path: '/' })

    expect([submitted.status, loaded.status]).toEqual([429, 429])
    expect([submitted.formAction, loaded.formAction]).toEqual([formAction, formAction])
    for (const { retryAfter, body } of [submitted, loaded]) {
      expect(body).toContain('This page will try again automatically.')
      expect(Number(retryAfter)).toBeGreaterThan(8)
    }
    expect(delayOf(submitted.body)).toBeGreaterThanOrEqual(Number(submitted.retryAfter))
    expect(delayOf(loaded.body)).toBeGreaterThanOrEqual(Number(loaded.retryAfter))
    expect(submitted.body).toContain('name="email" value="ada@example.com"')
    expect(submitted.body).toContain('name="note" value="&lt;b&gt;"')
  })
})
