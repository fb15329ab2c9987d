import { afterAll, afterEach } from 'vitest'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import type { Env } from './test-home.ts'

/**
 * Puts proxies in front of Postgres, NATS and Redis, so that tests can simulate outages. Every test starts with all
 * servers reachable.
 */
export function useServerProxies(): ServerProxies {
  const started: Partial<Record<Server, TcpProxy>> = {}
  const of = (server: Server): TcpProxy => {
    const proxy = started[server]
    if (!proxy) throw new Error('The service under test has not started yet.')
    return proxy
  }
  afterEach(() => {
    for (const proxy of Object.values(started)) proxy.pass()
  })
  afterAll(() => Promise.all(Object.values(started).map((proxy) => proxy.close())))
  return {
    async between(env) {
      const entries = Object.entries(settingOf) as [Server, string][]
      const changed = entries.map(async ([server, setting]) => {
        const proxy = await startTcpProxy(env[setting] ?? '')
        started[server] = proxy
        return [setting, proxy.url] as const
      })
      return { ...env, ...Object.fromEntries(await Promise.all(changed)) }
    },
    get postgres() {
      return of('postgres')
    },
    get nats() {
      return of('nats')
    },
    get redis() {
      return of('redis')
    },
  }
}

const settingOf = { postgres: 'DATABASE_URL', nats: 'NATS_URL', redis: 'REDIS_URL' } as const

type Server = keyof typeof settingOf

export interface ServerProxies extends Record<Server, TcpProxy> {
  /** Replaces the addresses of the servers with the proxies' addresses; pass it to `useService` as `change`. */
  between(env: Env): Promise<Env>
}
