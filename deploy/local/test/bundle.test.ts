import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths } from '../src/paths.ts'

const main = join(paths.root, 'deploy/local/test/bundled/src/main.ts')
const source = readFileSync(main, 'utf8')

describe('a bundle', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep bundle %'))
    const bundler = join(paths.root, 'deploy/bundle/bundle.ts')
    execFileSync(process.execPath, [bundler, folder, 'deploy/local/test/bundled'], { cwd: paths.root })
  }, 120_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('finds files where its sources are', () => {
    expect(run().message).toBe(`read ${source.length} characters`)
  })

  it('logs errors with the places in the sources', () => {
    const line = source.split('\n').findIndex((text) => text.includes('new Error(')) + 1
    expect(run().stack).toContain(`${pathToFileURL(main).href}:${line}:`)
  })

  it('logs the places in the bundle without its map', () => {
    for (const file of readdirSync(folder)) if (file.endsWith('.map')) rmSync(join(folder, file))
    expect(run().stack).toContain(`${pathToFileURL(join(folder, 'bundled.js')).href}:`)
  })

  function run(): { message: string; stack: string } {
    return JSON.parse(execFileSync(process.execPath, [join(folder, 'bundled.js')], { encoding: 'utf8' })).err
  }
})
