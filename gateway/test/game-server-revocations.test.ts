import type { Call } from '@storekeep/common/grpc'
import { expect, it } from 'vitest'
import { gameServerMessage } from './fake-delivery.ts'
import { useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
/** The time limit of other calls, in the harness. */
const requestTimeoutMs = 15_000

it.each([
  ['resetGameServerToken', 'POST', '/reset-token', undefined],
  ['updateGameServer', 'PATCH', '', { enabled: false }],
  ['deleteGameServer', 'DELETE', '', undefined],
] as const)('%s has time to wait until cached checks of the token have expired', async (rpc, method, path, body) => {
  const remaining: number[] = []
  gateway.services.overrides[rpc] = async (_request: never, call: Call) => {
    remaining.push(call.remainingMs())
    return rpc === 'deleteGameServer' ? {} : { gameServer: gameServerMessage(newId(), call), token: 'skgs_reset' }
  }
  const store = gateway.newStore()
  const url = `/gameservers/${newId()}${path}`
  const response = await store.send(method, url, body && { json: body })
  expect([200, 204]).toContain(response.status)
  expect(remaining[0]).toBeGreaterThan(requestTimeoutMs)
})
