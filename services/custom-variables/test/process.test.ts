import { createTestHome, expectGracefulStop, spawnEntry, spawnService, type TestHome } from '@storekeep/common/testing'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inStore, text } from './harness.ts'

let home: TestHome
beforeAll(async () => {
  home = await createTestHome('custom-variables', {})
})
afterAll(() => home.drop())

const entry = new URL('../src/main.ts', import.meta.url)

describe('the process', () => {
  it('finishes the calls in flight on SIGTERM and exits', async () => {
    const spawned = await spawnService(entry, CustomVariablesService, home.env)
    const create = () => spawned.client.createCustomVariable({ customVariable: text() }, inStore())
    await expectGracefulStop(spawned, create)
  })

  it('reports missing and invalid settings in one line', async () => {
    const { DATABASE_URL: _, ...env } = home.env
    const { code, stdout, stderr } = await spawnEntry(entry, [], { ...env, GRPC_PORT: 'x' }).exited
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Invalid settings: DATABASE_URL is missing; GRPC_PORT must be a whole number from 0 to 65535.\n',
    })
  })

  it('does not start when the pattern thread cannot load', async () => {
    const failInThreads = `import { isMainThread } from 'node:worker_threads'
      if (!isMainThread) throw new Error('no thread can load')`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(failInThreads)}`
    const { code, stdout, stderr } = await spawnEntry(entry, [], { ...home.env, NODE_OPTIONS }).exited
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('no thread can load')
  })
})
