import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { runChecks } from './run-checks.ts'

describe('the run of all checks', () => {
  let printed: string[]

  beforeEach(() => {
    printed = []
    vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text))
  })

  afterEach(() => vi.restoreAllMocks())

  it('prints why a check failed and runs the remaining ones', async () => {
    const violation = () => Promise.reject(new SetupError('An import crosses a boundary.', ['gateway/src/a.ts → pg']))
    const after = vi.fn(async () => undefined)
    const result = await runChecks(
      [
        { name: 'import boundaries', run: violation },
        { name: 'after', run: after },
      ],
      silentProgress,
    )
    expect(result).toEqual({
      passed: 1,
      failures: [{ name: 'import boundaries', message: 'An import crosses a boundary.' }],
    })
    expect(printed.join('\n')).toMatch(/An import crosses a boundary\.\n.*gateway\/src\/a\.ts → pg/)
    expect(after).toHaveBeenCalledOnce()
  })

  it('counts a skipped check neither as passed nor as failed and prints why it was skipped', async () => {
    const result = await runChecks([{ name: 'x', run: async () => 'skipped: no history' }], silentProgress)
    expect(result).toEqual({ passed: 0, failures: [] })
    expect(printed.join('\n')).toContain('skipped: no history')
  })
})

const silentProgress: Parameters<typeof runChecks>[1] = {
  step: async (_name, work) => await work(),
  title: () => undefined,
  notice: () => undefined,
  close: () => undefined,
}
