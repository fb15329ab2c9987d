import { faultOf, isPublished, randomId, useServerProxies } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestVariable, inStore, useCustomVariables } from './harness.ts'

const servers = useServerProxies()
const variables = useCustomVariables(servers.between)

describe('without Postgres', () => {
  it.each(['cut', 'stall'] as const)('calls fail with service-unavailable and recover (%s)', async (how) => {
    const options = inStore(randomId(), { deadlineMs: 2000 })
    const { id } = await createTestVariable(variables, options)
    const resolve = () =>
      variables.client.resolveValues({ lines: [{ path: 'a', customVariableIds: [id], values: {} }] }, options)
    servers.postgres[how]()
    expect(await faultOf(resolve())).toMatchObject({
      code: 'service-unavailable',
      retryAfterSeconds: expect.any(Number),
    })
    expect(await faultOf(createTestVariable(variables, options))).toMatchObject({ code: 'service-unavailable' })
    servers.postgres.pass()
    await expect.poll(() => faultOf(resolve())).toMatchObject({ code: 'validation-failed' })
  })

  it('is not ready until Postgres is back', async () => {
    const readyz = async () => (await fetch(`http://127.0.0.1:${variables.running.metricsPort}/readyz`)).status
    await expect.poll(readyz).toBe(200)
    servers.postgres.cut()
    await expect.poll(readyz).toBe(503)
    servers.postgres.pass()
    await expect.poll(readyz).toBe(200)
  })
})

describe('without NATS', () => {
  it('calls succeed, and their events are published when NATS is back', async () => {
    servers.nats.cut()
    const options = inStore()
    const { id } = await createTestVariable(variables, options)
    expect(await isPublished(variables, id)).toBe(false)
    servers.nats.pass()
    await expect.poll(() => isPublished(variables, id)).toBe(true)
  })
})
