import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generatedFiles, isCurrent } from './src/generated-files.ts'
import { chart } from './src/helm.ts'
import { commentsOf } from './src/values-reference.ts'

const files = await generatedFiles()

describe('generated files of the chart', () => {
  it.each([...files])('are current: %s', (file, text) => {
    expect(isCurrent(file, text), 'Run: npm run codegen').toBe(true)
  })

  it('include everything in files/observability', () => {
    const copies = globSync('files/observability/**/*.*', { cwd: chart })
    expect(copies.filter((file) => !files.has(file))).toEqual([])
  })
})

describe('the reference of values', () => {
  it.each(commentsOf(readFileSync(join(chart, 'values.yaml'), 'utf8')))('has a sentence about $path', ({ comment }) => {
    expect(comment).toMatch(/^[A-Z/`].*[.`…]$/)
    expect(comment.split(' ').length).toBeGreaterThan(2)
  })
})
