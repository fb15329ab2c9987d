import { describe, expect, it } from 'vitest'
import { scoreOf } from './score.ts'
import { readQuery } from './search-query.ts'

const record = { texts: ['Robin Hood', '★'], ids: ['7', '42'], hints: {} }

function score(query: string): number {
  const { folded, words } = readQuery('1', query, {})
  return scoreOf('7', record, { folded, words })
}

describe('scoreOf', () => {
  it.each([
    ['7', 100],
    ['ROBIN hood', 90],
    ['42', 90],
    ['★', 90],
    ['hood', 70],
    ['hood 42', 70],
    ['hoo', 50],
    ['r', 50],
    ['ood', 30],
    ['hodo', 10],
    ['robin hodo', 10],
    ['robin x', 0],
    ['', 0],
  ])('scores %j with %d', (query, expected) => {
    expect(score(query)).toBe(expected)
  })
})
