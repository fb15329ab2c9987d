import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../src/infra/index.ts'
import { paths } from '../src/paths.ts'
import { launch } from '../test/launch.ts'

/** A copy of the repository as far as a first run reads it before it installs packages. */
describe('a first run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'storekeep first run '))
  let occupied: Server
  let port: number

  beforeAll(async () => {
    for (const name of ['deploy/local/bootstrap', 'deploy/local/bootstrap.mjs']) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      cpSync(join(paths.root, name), join(folder, name), { recursive: true })
    }
    occupied = createServer()
    await new Promise<void>((listening) => occupied.listen(0, '127.0.0.1', listening))
    port = (occupied.address() as AddressInfo).port
  })
  afterAll(() => {
    occupied.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function start(environment: Record<string, string>) {
    const first = launch(['start'], environment, folder)
    return { code: await first.ended, output: first.output(), installed: existsSync(join(folder, '.tools')) }
  }

  it('reports a port that is taken, and a free one, before it installs anything', async () => {
    const { code, output, installed } = await start({ PORT: String(port) })
    expect(output).toMatch(new RegExp(`Port ${port} on 127.0.0.1 is already in use.* PORT=\\d+ npm start`))
    expect({ code, installed }).toEqual({ code: 1, installed: false })
  })

  it('reports a port that the pages need and that is taken', async () => {
    const { output, installed } = await start({ PORT: String(await freePort()), PAGES_PORT: String(port) })
    expect(output).toMatch(new RegExp(`Port ${port} on 127.0.0.1 is already in use.* PAGES_PORT=\\d+ npm start`))
    expect(installed).toBe(false)
  })

  it.each(['abc', '0', '65536', '80.5'])('reports the invalid port %s before it installs anything', async (text) => {
    const { code, output, installed } = await start({ PORT: text })
    expect(output).toContain('Invalid settings: PORT must be a whole number from 1 to 65535.')
    expect({ code, installed }).toEqual({ code: 1, installed: false })
  })

  it('reports why the package registry cannot be reached', async () => {
    const { code, output } = await start({
      PORT: String(await freePort()),
      PAGES_PORT: String(await freePort()),
      npm_config_registry: 'http://127.0.0.1:9/',
    })
    expect(output).toContain('The package registry cannot be reached (ECONNREFUSED')
    expect(output).not.toContain('    at ')
    expect(code).toBe(1)
  })
})
