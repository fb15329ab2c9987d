import { createTestHome, spawnEntry, type TestHome } from '@storekeep/common/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settings } from './harness.ts'

let home: TestHome
beforeAll(async () => {
  home = await createTestHome('coupons', settings)
})
afterAll(() => home.drop())

const entry = new URL('../src/main.ts', import.meta.url)

describe('the process', () => {
  it('reports missing and invalid settings in one line', async () => {
    const { CUSTOMERS_ADDRESS: _, ...env } = home.env
    const { code, stdout, stderr } = await spawnEntry(entry, [], { ...env, SWEEP_INTERVAL_MS: '1' }).exited
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Invalid settings: CUSTOMERS_ADDRESS is missing; SWEEP_INTERVAL_MS must be a whole number from 10 to 3600000.\n',
    })
  })
})
