import { describe, expect, it } from 'vitest'
import { findProblem } from './commit-subjects.ts'
import { findProblems } from './wording.ts'

describe('the word list', () => {
  it.each([
    ['The behaviour of a look-up', ['behaviour', 'look-up']],
    ['It replaces that of the client, and those with a time-out.', ['that of', 'those with', 'time-out']],
    ['The server refuses it at once.', ['refuses', 'at once']],
    ['refused_total by ProtoBehaviour', ['refused', 'Behaviour']],
    ['isRefusal', ['Refusal']],
  ])('finds each unwanted word of "%s"', (text, words) => {
    const found = findProblems('docs/README.md', text).map((line) => /: "(.*?)": write /.exec(line)?.[1])
    expect(found.sort()).toEqual([...words].sort())
  })

  it('names the line', () => {
    expect(findProblems('docs/README.md', 'The\ncolour')).toEqual([
      'docs/README.md:2: "colour": write the American spelling (-or)',
    ])
  })

  it.each([
    'at most one of them',
    'the connection was refused',
    'a promised raise',
    'in any one of its lists',
    'refusesConnections',
    'oneOf',
  ])('accepts "%s"', (text) => {
    expect(findProblems('docs/README.md', text)).toEqual([])
  })
})

describe('a commit subject', () => {
  it.each(['fix(customers): keep the token', 'feat!: add coupons', 'docs(gateway): process lists'])(
    'may be "%s"',
    (subject) => {
      expect(findProblem(subject)).toBeUndefined()
    },
  )

  it.each([
    ['fix: the token is kept', 'begins with "the", not with an imperative'],
    ['fix(pages): adds a button', 'begins with "adds", not with an imperative'],
    ['fixed the token', 'is not of the form "fix(customers): …"'],
    [`docs: write ${'a'.repeat(70)}`, 'has 82 characters, at most 72 are allowed'],
  ])('may not be "%s"', (subject, problem) => {
    expect(findProblem(subject)).toBe(problem)
  })
})
