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
    expect(run().err.message).toBe(`read ${source.length} characters`)
  })

  it('logs errors with the places in the sources', () => {
    const line = source.split('\n').findIndex((text) => text.includes('new Error(')) + 1
    expect(run().err.stack).toContain(`${pathToFileURL(main).href}:${line}:`)
  })

  it('has no characters that double the memory of its text, and they keep their meaning', () => {
    const texts = readdirSync(folder)
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
    expect(texts.join('')).toContain('\\u2026')
    expect(texts.join('')).toMatch(/^[\0-\xff]*$/)
    expect(run(1).reason).toBe('… \\– 💩')
  })

  it('logs the places in the bundle without its map', () => {
    for (const file of readdirSync(folder)) if (file.endsWith('.map')) rmSync(join(folder, file))
    expect(run().err.stack).toContain(`${pathToFileURL(join(folder, 'bundled.js')).href}:`)
  })

  /** Runs the bundle. @returns a line of its log */
  function run(line = 0): { err: { message: string; stack: string }; reason: string } {
    const lines = execFileSync(process.execPath, [join(folder, 'bundled.js')], { encoding: 'utf8' }).split('\n')
    return JSON.parse(lines[line] ?? '')
  }
})
