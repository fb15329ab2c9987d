import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withReference } from './src/chart-readme.ts'
import { chart } from './src/helm.ts'
import { commentsOf } from './src/readme.ts'

const values = readFileSync(join(chart, 'values.yaml'), 'utf8')

describe('the README of the chart', () => {
  it('describes the values as they are; "node helm/test/src/write-readme.ts" writes it anew', () => {
    const readme = readFileSync(join(chart, 'README.md'), 'utf8')
    expect(readme).toBe(withReference(readme))
  })

  it.each(commentsOf(values))('has a whole sentence about $path', ({ comment }) => {
    expect(comment).toMatch(/^[A-Z/`].*[.`…]$/)
    expect(comment.split(' ').length).toBeGreaterThan(2)
  })
})
