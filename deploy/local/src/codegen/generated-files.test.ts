import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { paths } from '../paths.ts'
import { findOutdatedFiles, generatedFiles } from './generated-files.ts'

describe('generated files', () => {
  let root: string

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'storekeep-codegen-'))
    for (const { path } of generatedFiles) cpSync(join(paths.root, path), join(root, path))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it.each(generatedFiles)('$path is reported after an edit of the generated part', ({ path }) => {
    const file = join(root, path)
    writeFileSync(file, readFileSync(file, 'utf8').replace('customers', 'customer'))
    expect(findOutdatedFiles(root).map((outdated) => outdated.path)).toEqual([path])
  })

  it('leaves the rest of compose.yaml to its editors', () => {
    appendFileSync(join(root, 'deploy/compose.yaml'), '  another-volume:\n')
    expect(findOutdatedFiles(root)).toEqual([])
  })
})
