import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { membersOf, watchSources } from './changes.ts'

describe('changes', () => {
  it('restart the member that they belong to, and everything when they are shared', () => {
    expect([...membersOf(['gateway/src/app.ts'])]).toEqual(['gateway'])
    expect([...membersOf(['services/stores/src/db/a.sql', 'services/stores/src/b.ts'])]).toEqual(['stores'])
    expect([...membersOf(['services/common/src/grpc/call.ts'])]).toEqual(['stores', 'customers', 'gateway'])
    expect([...membersOf(['proto/storekeep/stores/v1/store.proto'])]).toEqual(['stores', 'customers', 'gateway'])
  })

  describe('of files', () => {
    let root: string
    let stop: () => void

    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'storekeep-changes-'))
      for (const folder of [
        'proto/storekeep',
        'services/common/src',
        'services/stores/src/db',
        'services/customers/src',
        'gateway/src',
      ]) {
        mkdirSync(join(root, folder), { recursive: true })
      }
    })

    afterEach(() => {
      stop()
      rmSync(root, { recursive: true, force: true })
    })

    it('are told together, sources only', async () => {
      const apply = vi.fn(async (_files: string[]) => undefined)
      stop = watchSources(apply, root)
      writeFileSync(join(root, 'services/stores/src/db/0002-a.sql'), '')
      writeFileSync(join(root, 'services/stores/src/a.test.ts'), '')
      writeFileSync(join(root, 'gateway/src/app.ts'), '')
      await vi.waitFor(() => expect(apply).toHaveBeenCalled(), 5_000)
      expect(apply.mock.calls.flat(2).sort()).toEqual(['gateway/src/app.ts', 'services/stores/src/db/0002-a.sql'])
    })
  })
})
