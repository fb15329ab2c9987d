import { describe, expect, it } from 'vitest'
import { createCatalogCache } from './catalog-cache.ts'

function aCache(maxBytes = 1_000_000) {
  const clock = { ms: 0 }
  const loads: string[] = []
  const cache = createCatalogCache({ maxBytes, monotonicMs: () => clock.ms })
  const get = (key: string, body: unknown = key) =>
    cache.get(key, async () => {
      loads.push(key)
      return { body }
    })
  return { clock, loads, cache, get }
}

describe('the cache of the catalog', () => {
  it('renders a response once for five seconds', async () => {
    const { clock, loads, get } = aCache()
    const first = await get('a', [1])
    clock.ms = 4999
    expect(await get('a', [2])).toBe(first)
    clock.ms = 5000
    expect((await get('a', [2])).rendered.bytes.toString()).toBe('[2]')
    expect(loads).toEqual(['a', 'a'])
  })

  it('has one tag per content', async () => {
    const { clock, get } = aCache()
    const { etag } = (await get('a', [1])).rendered
    clock.ms = 5000
    expect((await get('a', [1])).rendered.etag).toBe(etag)
    clock.ms = 10_000
    expect((await get('a', [2])).rendered.etag).not.toBe(etag)
  })

  it('shares a load, and loads again for a request whose shared load failed', async () => {
    const { cache } = aCache()
    let loads = 0
    const render = async () => {
      loads += 1
      if (loads === 1) throw new Error('the client of the first request has gone')
      return { body: loads }
    }
    const results = await Promise.allSettled([cache.get('a', render), cache.get('a', render)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    await Promise.all([cache.get('b', render), cache.get('b', render)])
    expect(loads).toBe(3)
  })

  it('never keeps more bytes than it may, and evicts the oldest response first', async () => {
    const { loads, get } = aCache(3000)
    const large = 'x'.repeat(900)
    for (const key of ['a', 'b', 'c', 'b', 'a']) await get(key, large)
    expect(loads).toEqual(['a', 'b', 'c', 'a'])
    await get('huge', 'x'.repeat(5000))
    await get('huge', 'x'.repeat(5000))
    expect(loads.slice(4)).toEqual(['huge', 'huge'])
  })
})
