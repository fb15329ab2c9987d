import { afterEach, describe, expect, it, vi } from 'vitest'
import { freePort } from './ports.ts'

describe('a free port', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('is answered once, before anybody listens on it, too', async () => {
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()))
    expect(new Set(ports).size).toBe(ports.length)
  })

  it('of one test worker is none of another', async () => {
    const rangeOf = async (worker: string) => {
      vi.stubEnv('VITEST_POOL_ID', worker)
      return Math.floor((await freePort()) / 1000)
    }
    expect(await rangeOf('1')).not.toBe(await rangeOf('2'))
  })
})
