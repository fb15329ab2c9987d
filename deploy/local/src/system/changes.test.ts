import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { services } from '../services.ts'
import { processesOf, watchedFolders, watchSources } from './changes.ts'

const all = [...services.map(({ name }) => name), 'pages', 'gateway']
const waiting = { timeout: 60_000 }

describe('processesOf', () => {
  it.each([
    ['gateway/src/app.ts', ['gateway']],
    ['proto/records/src/bans/ban-dto.ts', ['webhooks', 'gateway']],
    ['services/stores/src/db/a.sql', ['stores']],
    ['services/common/src/grpc/call.ts', all],
    ['proto/storekeep/stores/v1/store.proto', all],
    ['proto/conventions/limits.ts', all],
  ])('returns the processes that run %s', (file, names) => {
    expect([...processesOf([file])]).toEqual(names)
  })
})

describe('watchSources', () => {
  let root: string
  let stop: () => Promise<void>
  const apply = vi.fn(async (_files: string[]) => undefined)

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'storekeep-changes-'))
    for (const folder of [...watchedFolders, 'services/stores/src/db'])
      mkdirSync(join(root, folder), { recursive: true })
    apply.mockClear()
  })

  afterEach(async () => {
    await stop()
    rmSync(root, { recursive: true, force: true })
  })

  it('reports changes of sources, not of tests', async () => {
    stop = await watchSources(apply, root)
    const sources = ['gateway/src/app.ts', 'proto/conventions/limits.ts', 'services/stores/src/db/0002-a.sql']
    for (const file of ['services/stores/src/a.test.ts', ...sources]) writeFileSync(join(root, file), '')
    await vi.waitFor(() => expect(apply.mock.calls.flat(2).sort()).toEqual(sources), waiting)
  })

  it('reports every save of an editor that replaces the file, and a later append', async () => {
    const file = join(root, 'gateway/src/app.ts')
    writeFileSync(file, '0')
    stop = await watchSources(apply, root)
    for (const change of [replace, replace, replace, appendFileSync]) {
      apply.mockClear()
      change(file, '1')
      await vi.waitFor(() => expect(apply).toHaveBeenCalledWith(['gateway/src/app.ts']), waiting)
    }
  })

  it('reports files in a new folder, and their deletion', async () => {
    stop = await watchSources(apply, root)
    const file = join(root, 'gateway/src/routes/app.ts')
    mkdirSync(join(root, 'gateway/src/routes'))
    for (const change of [() => writeFileSync(file, ''), () => replace(file, '1'), () => rmSync(file)]) {
      apply.mockClear()
      change()
      await vi.waitFor(() => expect(apply).toHaveBeenCalledWith(['gateway/src/routes/app.ts']), waiting)
    }
  })
})

/** Saves as an editor does: writes a new file and renames it. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}~`, text)
  renameSync(`${file}~`, file)
}
