import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { addressSettings, forEachService } from '@storekeep/local/services'
import { type System, startSystem } from '@storekeep/test/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chart } from './src/helm.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe('the test of Helm', () => {
  let system: System

  beforeAll(async () => {
    system = await startSystem({ only: ['stores', 'customers'] })
  })
  afterAll(() => system.stop())

  it('walks the sign-in flow of a running system, as often as one likes, and leaves no live key', async () => {
    expect(await walk(system)).toEqual({ code: 0, said: 'The sign-in flow works.\n' })
    expect(await walk(system)).toEqual({ code: 0, said: 'The sign-in flow works.\n' })
    const keys: { revoked_at: string | null }[] = JSON.parse(
      await admin(system, 'list-keys', '--store', 'helm-test', '--json'),
    )
    expect(keys).toHaveLength(2)
    expect(keys.filter(({ revoked_at }) => revoked_at === null)).toEqual([])
  })

  it('fails, and says what failed, when a part of the flow does', async () => {
    await system.customers.stop()
    const { code, said } = await walk(system)
    expect(code).toBe(1)
    expect(said).toMatch(/GET .+\/customers\/lookup.+ was answered with 503/)
    await system.customers.restart()
  })
})

async function walk(system: System): Promise<{ code: number; said: string }> {
  return await run([join(chart, 'files/walk-sign-in.mjs')], system)
}

async function admin(system: System, ...args: string[]): Promise<string> {
  return (await run(['services/admin-tools/src/main.ts', ...args], system)).said
}

/** As in the pod: in the folder of the image, with the settings of the pod. */
async function run(args: string[], system: System): Promise<{ code: number; said: string }> {
  const [gateway] = system.gateways
  const env = {
    PATH: process.env.PATH,
    GATEWAY_URL: gateway?.url,
    STORE_SLUG: 'helm-test',
    ...addressSettings(forEachService((name) => (name in system ? system[name].address : '127.0.0.1:9'))),
  }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
    return { code: 0, said: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, said: stderr }
  }
}
