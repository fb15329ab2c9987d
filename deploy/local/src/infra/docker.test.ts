import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitUntilReady } from '../processes/child.ts'
import { converse } from './converse.ts'
import { canUseDocker, startInDocker } from './docker.ts'
import { freePort } from './ports.ts'

/** Replaces docker with a program that logs its arguments and responds on the port like Redis. */
describe('docker', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep docker '))
    const program = join(folder, 'docker')
    writeFileSync(join(folder, 'stand-in.cjs'), standIn(join(folder, 'calls')))
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${folder}/stand-in.cjs" "$@"\n`)
    chmodSync(program, 0o755)
    vi.stubEnv('PATH', folder)
  })

  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  it('runs a server in the foreground on the chosen port and removes its container afterwards', async () => {
    expect(await canUseDocker()).toBe(true)
    const port = await freePort()
    const server = await startInDocker({
      name: 'Redis',
      service: 'redis-server',
      port,
      directory: folder,
      logFile: join(folder, 'log'),
    })
    await waitUntilReady(server, () => converse({ port }, 'PING\r\n', /\+PONG\r\n/))
    await server.stop()
    const calls = readFileSync(join(folder, 'calls'), 'utf8')
    expect(calls).toMatch(
      new RegExp(`--project-name storekeep-redis-server-${port} --file .*infra.compose.yaml up .*redis-server`),
    )
    expect(calls.trimEnd()).toMatch(/ down$/)
  })

  it('is not used when it is missing', async () => {
    vi.stubEnv('PATH', join(folder, 'empty'))
    expect(await canUseDocker()).toBe(false)
  })
})

function standIn(callsFile: string): string {
  return `
    const { appendFileSync } = require('node:fs')
    const args = process.argv.slice(2)
    appendFileSync(${JSON.stringify(callsFile)}, args.join(' ') + '\\n')
    if (args.includes('up')) {
      const respond = (socket) => socket.on('data', () => socket.write('+PONG\\r\\n')).on('error', () => {})
      require('node:net').createServer(respond).listen(Number(process.env.STOREKEEP_PORT), '127.0.0.1')
    }
  `
}
