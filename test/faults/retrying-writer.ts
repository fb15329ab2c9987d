import { type Answer, backOff, fresh, type TestStore } from '@storekeep/test/kit'

/**
 * Sends one write the way a careful client does: to another gateway each time, until it is answered 200.
 * Nothing but 503, "still running" and a broken connection may come in between.
 */
export async function writeUntilAnswered(
  shops: readonly TestStore[],
  write: KeyedWrite,
  { keyed }: { keyed: boolean },
): Promise<{ answer: Answer; attempts: number }> {
  const headers = keyed ? { 'idempotency-key': write.key } : {}
  for (let attempts = 1; ; attempts++) {
    const shop = shops[attempts % shops.length]
    if (!shop) throw new Error('There is no gateway to write to.')
    const answer = await shop.post(write.path, write.input, { headers }).catch(() => undefined)
    if (answer?.status === 200) return { answer, attempts }
    const isPassing = answer === undefined || answer.status === 503 || (keyed && answer.status === 409)
    if (!isPassing) throw new Error(`POST ${write.path} answered ${answer.status} ${answer.text}`)
    await backOff()
  }
}

/** A customer to be made; its name tells whether it was made twice. */
export function newCustomerWrite(): KeyedWrite {
  return { key: fresh.idempotencyKey(), path: '/customers', input: { name: fresh.name() } }
}

export function newTokenWrite(customerId: string): KeyedWrite {
  return { key: fresh.idempotencyKey(), path: `/customers/${customerId}/tokens`, input: undefined }
}

export interface KeyedWrite {
  key: string
  path: string
  input: { name: string } | undefined
}
