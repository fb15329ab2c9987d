import { describe, expect, it } from 'vitest'
import { type LineAnswers, type Question, readLine, resolveAnswer } from './answers.ts'
import type { CustomVariable } from './custom-variable.ts'

const text: CustomVariable = {
  id: '5',
  storeId: '1',
  identifier: 'nick',
  name: 'Nick',
  description: '',
  type: 'text',
  valueRegex: null,
  options: [],
}
const inherited: CustomVariable = { ...text, id: '6', identifier: 'constructor' }
const known = new Map([text, inherited].map((variable) => [variable.id, variable]))
const line: LineAnswers = { path: 'a', idsPath: undefined, variableIds: [], values: {} }

describe('a line', () => {
  it('does not take inherited properties of an object for answers', () => {
    const { questions } = readLine({ ...line, variableIds: ['6'] }, known)
    expect(questions).toEqual([{ variable: inherited, path: 'a.constructor', answer: undefined }])
  })

  it('lists each variable once, in the order of the ids', () => {
    const { questions, violations } = readLine({ ...line, variableIds: ['6', '5', '6'], values: { nick: 'x' } }, known)
    expect(questions.map(({ variable, answer }) => [variable.id, answer])).toEqual([
      ['6', undefined],
      ['5', 'x'],
    ])
    expect(violations).toEqual([])
  })
})

describe('an answer', () => {
  const ask = (variable: CustomVariable, answer: string): Question => ({ variable, path: 'a.nick', answer })
  it('is validated against its type before its pattern', () => {
    const number: CustomVariable = { ...text, type: 'number', valueRegex: 'x' }
    expect(resolveAnswer(ask(number, 'x'))).toMatchObject({ validation: 'format' })
    const tooLong = ask({ ...text, valueRegex: 'x' }, 'x'.repeat(1025))
    expect(resolveAnswer(tooLong)).toMatchObject({ validation: 'length' })
    expect(resolveAnswer(ask(number, '1'))).toEqual({ variable: number, value: '1', option: undefined })
  })

  it('is measured in characters, not in UTF-16 units', () => {
    expect(resolveAnswer(ask(text, '🦊'.repeat(1024)))).toMatchObject({ value: '🦊'.repeat(1024) })
  })
})
