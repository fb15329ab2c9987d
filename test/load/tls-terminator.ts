import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAuthority } from '@storekeep/common/testing/certificates'
import { freePort } from '@storekeep/local/infra'
import { startChild, waitUntilReady } from '@storekeep/local/processes'
import { createSender } from '@storekeep/test/kit/plugins'

/** Starts tls-terminator-server.ts in front of a gateway. */
export async function startTlsTerminator(gatewayUrl: string, logDirectory: string): Promise<TlsTerminator> {
  const directory = mkdtempSync(join(tmpdir(), 'storekeep-test-'))
  const authority = await createAuthority()
  const { cert, key, ca } = await authority.issue(['127.0.0.1'])
  const files = { CERT_FILE: join(directory, 'tls.crt'), KEY_FILE: join(directory, 'tls.key') }
  writeFileSync(files.CERT_FILE, cert)
  writeFileSync(files.KEY_FILE, key, { mode: 0o600 })
  const port = await freePort()
  const url = `https://127.0.0.1:${port}`
  const child = await startChild({
    name: 'tls-terminator',
    command: process.execPath,
    args: [fileURLToPath(new URL('tls-terminator-server.ts', import.meta.url))],
    logFile: `${logDirectory}/tls-terminator.log`,
    spawn: {
      env: { ...files, PATH: process.env.PATH, PORT: String(port), TARGET_PORT: new URL(gatewayUrl).port },
      cwd: process.cwd(),
    },
  })
  const send = createSender(url, { ca })
  await waitUntilReady(child, () => send({ method: 'GET', path: '/healthz' }))
  return {
    url,
    pid: child.pid,
    async stop() {
      await child.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

export interface TlsTerminator {
  url: string
  pid: number
  stop(): Promise<void>
}
