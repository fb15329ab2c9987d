import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'storekeep-spawn-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function writeScript(name: string, code: string): string {
  const file = join(folder, name)
  writeFileSync(file, code)
  return file
}

it('a process that a test has spawned ends when the test run is killed', async () => {
  // The process holds a connection for as long as it runs.
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const entry = writeScript('entry.mjs', `import net from 'node:net'; net.connect(${port}, '127.0.0.1')`)
  const run = writeScript(
    'run.mjs',
    `import { spawnEntry } from '${new URL('../testing/spawn-entry.ts', import.meta.url)}'
    spawnEntry(new URL('${pathToFileURL(entry)}'), [], {})`,
  )
  const parent = spawn(process.execPath, [run], { stdio: 'ignore' })
  const [connection] = (await once(server, 'connection')) as [Socket]
  connection.on('error', () => {})
  connection.resume()
  expect(parent.exitCode).toBe(null)
  parent.kill('SIGKILL')
  await once(connection, 'close')
  server.close()
})
