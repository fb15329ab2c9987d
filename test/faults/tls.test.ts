import { execFile } from 'node:child_process'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { environmentOfNode } from '@storekeep/common/testing'
import { addressSettings, forEachService } from '@storekeep/local/services'
import { fresh, type System, startSystem, type TestStore } from '@storekeep/test/kit'
import { createSystemTls } from '@storekeep/test/kit/tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readScrape } from '../observability/scrape.ts'
import { withTls } from '../observability/unknown-parts.ts'

const admin = fileURLToPath(new URL('../../services/admin-tools/src/main.ts', import.meta.url))
const gateways = { known: 0, stranger: 1 } as const
let system: System
let store: TestStore
const tls = await createSystemTls()
beforeAll(async () => {
  system = await startSystem({ only: ['stores', 'customers'], gateways: [{}, tls.settingsOf('stranger')], tls })
  store = await system.createStore()
})
afterAll(async () => {
  await system?.stop()
  tls.remove()
})

describe('a system with mutual TLS between its processes', () => {
  it('completes the sign-in flow', async () => {
    const { body: customer } = await store.post<{ id: string }>('/customers', { name: fresh.name() })
    const { body: issued } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`, undefined)
    const me = () => store.shop<{ id: string }>('GET', '/store/customer', { token: issued.token })
    expect((await me()).body.id).toBe(customer.id)
    expect((await store.delete(`/customers/${customer.id}/tokens`)).status).toBe(204)
    expect((await me()).status).toBe(401)
  })

  it('rejects callers without a certificate', async () => {
    const socket = connect({ port: system.customers.port, host: '127.0.0.1', rejectUnauthorized: false })
    const rejection = await new Promise<Error>((resolve) => socket.once('error', resolve))
    expect(rejection.message).toMatch(/certificate required|reset/)
  })

  it('accepts the certificate of admin-tools', async () => {
    const addresses = addressSettings(forEachService((name) => `localhost:${system[name]?.port ?? 9}`))
    const env = { ...environmentOfNode(), ...addresses, ...tls.settingsOf('admin-tools') }
    const { stdout } = await promisify(execFile)(process.execPath, [admin, 'list-stores', '--json'], { env })
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ slug: store.slug }))
  })

  it('exports the validity period of every certificate as a metric', async () => {
    for (const url of system.address.metricsUrls) {
      const { samples } = readScrape([await (await fetch(url)).text()])
      const named = [...withTls].filter((name) => samples.get(name)?.has('service'))
      expect(named, url).toEqual([...withTls])
    }
  })

  it('returns 503, never 401 or 403, through a gateway whose certificate is rejected', async () => {
    const there = store.through(system.openGateway(gateways.stranger))
    const { body: customer } = await store.post<{ id: string }>('/customers', { name: fresh.name() })
    const { body: issued } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`, undefined)
    const asked = [there.get('/customers'), there.shop('GET', '/store/customer', { token: issued.token })]
    for (const { status, headers } of await Promise.all(asked)) {
      expect([status, headers['retry-after']]).toEqual([503, expect.any(String)])
    }
  })
})
