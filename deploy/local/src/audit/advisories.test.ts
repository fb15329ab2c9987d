import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { findAdvisories } from './advisories.ts'

const advisory = {
  id: 1,
  url: 'https://example.org/GHSA-1',
  title: 'Crashes on an empty path',
  severity: 'high',
  vulnerable_versions: '>=5.0.0',
}

/** The audit against a package registry in this process. */
describe('the audit', () => {
  let registry: Server | undefined

  afterEach(() => void registry?.close())

  it('reports a known vulnerability and which package brings it in', async () => {
    expect(await findAdvisories(await serve(200, { express: [advisory] }))).toEqual([
      'high: express >=5.0.0: Crashes on an empty path (https://example.org/GHSA-1), by gateway>express',
    ])
  })

  it('passes if none is known', async () => {
    expect(await findAdvisories(await serve(200, {}))).toEqual([])
  })

  it('fails if the registry does not list advisories', async () => {
    await expect(findAdvisories(await serve(405, {}))).rejects.toThrow('returned no advisories')
  })

  async function serve(status: number, body: object): Promise<string> {
    registry = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(registry, 'listening')
    const address = registry.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    return `http://127.0.0.1:${address.port}/`
  }
})
