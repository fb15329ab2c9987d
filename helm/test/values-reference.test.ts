import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commentsOf } from '../build/values-reference.ts'
import { chart } from './src/helm.ts'

describe('the reference of values', () => {
  const comments = commentsOf(readFileSync(join(chart, 'values.yaml'), 'utf8'))

  it.each(comments)('has a sentence about $path', ({ comment }) => {
    expect(comment).toMatch(/^[A-Z/`].*[.`…]$/)
    expect(comment.split(' ').length).toBeGreaterThan(2)
  })

  it('is in the README of the package', () => {
    const readme = readFileSync(join(chart, 'README.md'), 'utf8')
    expect(comments.filter(({ path }) => !readme.includes(`\`${path}\``))).toEqual([])
  })
})
