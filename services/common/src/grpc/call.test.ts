import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { expect, it } from 'vitest'
import { promotedBytes } from '../../testing/promoted-bytes.ts'
import { createLogger } from '../log/index.ts'
import { type IncomingCall, receiveCall } from './call.ts'

const method = StoresService.method.getStore
const log = createLogger({ service: 'test', level: 'silent' })

it('a finished call leaves nothing for full collections', async () => {
  const left = await promotedBytes(40, () => finish(50, (incoming) => receiveCall(method, incoming, log)))
  expect(left).toBeLessThan(payloadBytes * 5)
})

it('an object literal with a getter leaves each call for full collections (negative control)', async () => {
  const withGetter = (incoming: IncomingCall) => ({
    get requestId() {
      return incoming.requestId
    },
  })
  expect(await promotedBytes(40, () => finish(50, withGetter))).toBeGreaterThan(payloadBytes * 25)
})

const payloadBytes = 8 * 256

/** Receives calls, each with a payload, and reads their ids. */
function finish(count: number, receive: (incoming: IncomingCall) => { requestId: string }): void {
  for (let index = 0; index < count; index += 1) {
    const payload = Array.from({ length: 256 }, () => index)
    const { requestId } = receive({
      requestId: 'request-1',
      traceparent: undefined,
      storeId: undefined,
      actor: undefined,
      idempotency: undefined,
      deadline: performance.now(),
      isCanceled: () => payload.length === 0,
      onCanceled: () => undefined,
    })
    expect(requestId).toBe('request-1')
  }
}
