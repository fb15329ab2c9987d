import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { environmentOfNode } from '../../testing/index.ts'

describe('disablePretenuring', () => {
  it('lets short-lived objects be created as new ones where earlier objects survived', async () => {
    expect(await oldBytesPerObject()).toBeLessThan(10)
  })

  it('is necessary: V8 would create them in the old generation', async () => {
    expect(await oldBytesPerObject('default')).toBeGreaterThan(20)
  })
})

async function oldBytesPerObject(...args: string[]): Promise<number> {
  const script = fileURLToPath(new URL('../../test/fixtures/tenured-places.ts', import.meta.url))
  const flags = ['--allow-natives-syntax', '--expose-gc', '--min-semi-space-size=32', '--max-semi-space-size=32']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, ...args], {
    env: environmentOfNode(),
  })
  return Number(stdout)
}
