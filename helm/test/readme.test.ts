import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withReference } from './src/chart-readme.ts'
import { chart } from './src/helm.ts'
import { commentsOf } from './src/readme.ts'

const values = readFileSync(join(chart, 'values.yaml'), 'utf8')

describe('README.md of the chart', () => {
  it('documents the current values; update it with "node helm/test/src/write-readme.ts"', () => {
    const readme = readFileSync(join(chart, 'README.md'), 'utf8')
    expect(readme).toBe(withReference(readme))
  })

  it.each(commentsOf(values))('has a sentence about $path', ({ comment }) => {
    expect(comment).toMatch(/^[A-Z/`].*[.`…]$/)
    expect(comment.split(' ').length).toBeGreaterThan(2)
  })
})
