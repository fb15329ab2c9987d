import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { addressSettings, forEachService } from '@storekeep/local/services'
import { fresh, sharedGateways } from '@storekeep/test/kit'
import { describe, expect, inject, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { gatewayUrls, storesAddress, adminCallKeys } = inject('system')

describe('the script of helm test', () => {
  it('passes repeatedly and revokes its API keys', async () => {
    const slug = fresh.name()
    const passed = { code: 0, output: 'The sign-in flow works.\n' }
    expect(await runTest(slug)).toEqual(passed)
    expect(await runTest(slug)).toEqual(passed)
    const { output } = await run(['services/admin-tools/src/main.ts', 'list-keys', '--store', slug, '--json'])
    const keys: { revoked_at: string | null }[] = JSON.parse(output)
    expect(keys).toHaveLength(2)
    expect(keys.filter(({ revoked_at }) => revoked_at === null)).toEqual([])
  })

  it('fails and names the failed request', async () => {
    const unavailable = createServer((_request, response) => response.writeHead(503).end('{}')).listen(0, '127.0.0.1')
    try {
      await once(unavailable, 'listening')
      const { port } = unavailable.address() as AddressInfo
      const { code, output } = await runTest(fresh.name(), `http://127.0.0.1:${port}`)
      expect(code).toBe(1)
      expect(output).toMatch(/GET .+\/customers\/lookup.+ failed with status 503/)
    } finally {
      unavailable.close()
    }
  })
})

function runTest(slug: string, gatewayUrl = gatewayUrls[sharedGateways.usual]): Promise<Result> {
  return run(['helm/storekeep/files/sign-in-test.mjs'], { GATEWAY_URL: gatewayUrl, STORE_SLUG: slug })
}

/** Runs a script as in the pod: in the root of the image and with the settings of the pod. */
async function run(args: string[], settings: NodeJS.ProcessEnv = {}): Promise<Result> {
  const unused = forEachService(() => '127.0.0.1:9')
  const env = {
    PATH: process.env.PATH,
    LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...addressSettings({ ...unused, stores: storesAddress }),
    CALL_KEYS: adminCallKeys,
    ...settings,
  }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, output: stderr }
  }
}

interface Result {
  code: number
  output: string
}
