import { backOff, fresh, type HttpResponse, type TestStore } from '@storekeep/test/kit'

/**
 * Sends a write as a client with retries does: to another gateway each time, until it returns 200. Only 503, 409 (still
 * running) and broken connections are retried.
 */
export async function writeUntilSuccessful(
  shops: readonly TestStore[],
  write: KeyedWrite,
  { keyed }: { keyed: boolean },
): Promise<{ response: HttpResponse; attempts: number }> {
  const headers = keyed ? { 'idempotency-key': write.key } : {}
  for (let attempts = 1; ; attempts++) {
    const shop = shops[attempts % shops.length]
    if (!shop) throw new Error('No gateway is given.')
    const response = await shop.post(write.path, write.input, { headers }).catch(() => undefined)
    if (response?.status === 200) return { response, attempts }
    const isTemporary = response === undefined || response.status === 503 || (keyed && response.status === 409)
    if (!isTemporary) throw new Error(`POST ${write.path} returned ${response.status} ${response.text}`)
    await backOff()
  }
}

/** Creates a customer with a unique name, by which duplicates are found. */
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
