import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { addressSettings, forEachService } from '@storekeep/local/services'
import { type System, startSystem } from '@storekeep/test/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chart } from './src/helm.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe('sign-in-test.mjs', () => {
  let system: System

  beforeAll(async () => {
    system = await startSystem({ only: ['stores', 'customers'] })
  })
  afterAll(() => system.stop())

  it('passes repeatedly and revokes its API keys', async () => {
    expect(await runTest(system)).toEqual({ code: 0, output: 'The sign-in flow works.\n' })
    expect(await runTest(system)).toEqual({ code: 0, output: 'The sign-in flow works.\n' })
    const keys: { revoked_at: string | null }[] = JSON.parse(
      await admin(system, 'list-keys', '--store', 'helm-test', '--json'),
    )
    expect(keys).toHaveLength(2)
    expect(keys.filter(({ revoked_at }) => revoked_at === null)).toEqual([])
  })

  it('fails and names the failed request', async () => {
    await system.customers.stop()
    const { code, output } = await runTest(system)
    expect(code).toBe(1)
    expect(output).toMatch(/GET .+\/customers\/lookup.+ failed with status 503/)
    await system.customers.restart()
  })
})

function runTest(system: System): Promise<Result> {
  return run([join(chart, 'files/sign-in-test.mjs')], system)
}

async function admin(system: System, ...args: string[]): Promise<string> {
  return (await run(['services/admin-tools/src/main.ts', ...args], system)).output
}

/** Runs a script as in the pod: with the root of the image as working directory and the settings of the pod. */
async function run(args: string[], system: System): Promise<Result> {
  const [gateway] = system.gateways
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: compileCache,
    GATEWAY_URL: gateway?.url,
    STORE_SLUG: 'helm-test',
    ...addressSettings(forEachService((name) => (name in system ? system[name].address : '127.0.0.1:9'))),
  }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, output: stderr }
  }
}

const compileCache = join(root, '.data/compile-cache')

interface Result {
  code: number
  output: string
}
