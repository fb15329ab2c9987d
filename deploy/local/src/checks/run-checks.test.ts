import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkBoundaries } from './checks.ts'
import { runChecks } from './run-checks.ts'

describe('the run of all checks', () => {
  let root: string
  let printed: string[]

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'storekeep-checks-'))
    printed = []
    vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text))
  })

  afterEach(() => {
    vi.restoreAllMocks()
    rmSync(root, { recursive: true, force: true })
  })

  it('fails because of one file that imports what it must not, names it, and goes on', async () => {
    mkdirSync(join(root, 'gateway/src'), { recursive: true })
    writeFileSync(join(root, 'gateway/src/sneaky.ts'), `import pg from 'pg'\n`)
    const after = vi.fn(async () => undefined)
    const result = await runChecks(
      [
        { name: 'import boundaries', run: () => checkBoundaries(root) },
        { name: 'after', run: after },
      ],
      silentProgress,
    )
    expect(result).toEqual({ passed: 1, failed: 1 })
    expect(printed.join('\n')).toContain('gateway/src/sneaky.ts:1 imports pg')
    expect(after).toHaveBeenCalledOnce()
  })

  it('counts a check that had nothing to check neither way, and says why', async () => {
    const result = await runChecks([{ name: 'x', run: async () => 'skipped: no history' }], silentProgress)
    expect(result).toEqual({ passed: 0, failed: 0 })
    expect(printed.join('\n')).toContain('skipped: no history')
  })
})

const silentProgress: Parameters<typeof runChecks>[1] = {
  step: async (_name, work) => await work(),
  title: () => undefined,
  close: () => undefined,
}
