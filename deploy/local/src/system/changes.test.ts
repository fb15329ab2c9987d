import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { services } from '../services.ts'
import { membersOf, watchSources } from './changes.ts'

const everything = [...services.map(({ name }) => name), 'gateway']

describe('changes', () => {
  it('restart the member that they belong to, and everything when they are shared', () => {
    expect([...membersOf(['gateway/src/app.ts'])]).toEqual(['gateway'])
    expect([...membersOf(['services/stores/src/db/a.sql', 'services/stores/src/b.ts'])]).toEqual(['stores'])
    expect([...membersOf(['services/common/src/grpc/call.ts'])]).toEqual(everything)
    expect([...membersOf(['proto/storekeep/stores/v1/store.proto'])]).toEqual(everything)
  })

  describe('of files', () => {
    let root: string
    let stop: () => Promise<void>

    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'storekeep-changes-'))
      for (const folder of [
        'proto/storekeep',
        'services/common/src',
        'services/stores/src/db',
        ...services.map(({ name }) => `services/${name}/src`),
        'gateway/src',
      ]) {
        mkdirSync(join(root, folder), { recursive: true })
      }
    })

    afterEach(async () => {
      await stop()
      rmSync(root, { recursive: true, force: true })
    })

    it('are told together, sources only', async () => {
      const apply = vi.fn(async (_files: string[]) => undefined)
      stop = await watchSources(apply, root)
      writeFileSync(join(root, 'services/stores/src/db/0002-a.sql'), '')
      writeFileSync(join(root, 'services/stores/src/a.test.ts'), '')
      writeFileSync(join(root, 'gateway/src/app.ts'), '')
      await vi.waitFor(() => expect(apply).toHaveBeenCalled(), 5_000)
      expect(apply.mock.calls.flat(2).sort()).toEqual(['gateway/src/app.ts', 'services/stores/src/db/0002-a.sql'])
    })

    it('are told each time that an editor replaces one by another, and then writes to it', async () => {
      const apply = vi.fn(async (_files: string[]) => undefined)
      const file = join(root, 'gateway/src/app.ts')
      writeFileSync(file, '0')
      stop = await watchSources(apply, root)
      for (const change of [replace, replace, replace, appendFileSync]) {
        apply.mockClear()
        change(file, '1')
        await vi.waitFor(() => expect(apply).toHaveBeenCalledWith(['gateway/src/app.ts']), 5_000)
      }
    })

    it('are told of a new folder too, and when they are deleted', async () => {
      const apply = vi.fn(async (_files: string[]) => undefined)
      stop = await watchSources(apply, root)
      const file = join(root, 'gateway/src/routes/app.ts')
      mkdirSync(join(root, 'gateway/src/routes'))
      for (const change of [() => writeFileSync(file, ''), () => replace(file, '1'), () => rmSync(file)]) {
        apply.mockClear()
        change()
        await vi.waitFor(() => expect(apply).toHaveBeenCalledWith(['gateway/src/routes/app.ts']), 5_000)
      }
    })
  })
})

/** As an editor saves: the new text becomes the file by a rename. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}~`, text)
  renameSync(`${file}~`, file)
}
