import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { root } from './files.ts'

/** Debian has it in the package prometheus. Without it the queries are still parsed, by the other tests. */
const isThere = spawnSync('promtool', ['--version']).status === 0

it.skipIf(!isThere)(
  `promtool finds that the alerts fire as they should (${isThere ? 'it is here' : 'it is not on the PATH'})`,
  () => {
    for (const args of [
      ['check', 'rules', 'alerts.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, {
        cwd: `${root}deploy/observability`,
        encoding: 'utf8',
      })
      expect(status, stdout + stderr).toBe(0)
    }
  },
  120_000,
)
