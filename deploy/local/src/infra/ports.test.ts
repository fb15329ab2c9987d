import { createServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { freePort, nextFreePort, reservePort } from './ports.ts'

describe('freePort', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  it('returns no port twice, even while nothing listens on it', async () => {
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()))
    expect(new Set(ports).size).toBe(ports.length)
  })

  it('returns no port that is reserved', async () => {
    vi.stubEnv('VITEST_POOL_ID', '3')
    reservePort(18_500)
    const random = vi.spyOn(Math, 'random').mockReturnValueOnce(0.5)
    expect(await freePort()).not.toBe(18_500)
    expect(random).toHaveBeenCalled()
  })

  it('returns different ports to different test workers', async () => {
    const rangeOf = async (worker: string) => {
      vi.stubEnv('VITEST_POOL_ID', worker)
      return Math.floor((await freePort()) / 1000)
    }
    expect(await rangeOf('1')).not.toBe(await rangeOf('2'))
  })
})

describe('nextFreePort', () => {
  it('skips ports in use', async () => {
    const port = await freePort()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port + 1, '127.0.0.1', resolve))
    expect(await nextFreePort(port, '127.0.0.1')).toBeGreaterThan(port + 1)
    await new Promise((resolve) => server.close(resolve))
  })

  it('returns nothing above the last port', async () => {
    expect(await nextFreePort(65_535, '127.0.0.1')).toBeUndefined()
  })
})
