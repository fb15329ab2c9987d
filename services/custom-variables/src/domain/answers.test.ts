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

describe('a line that is invalid', () => {
  it('names every id and every answer that belongs to no variable of the line', () => {
    const invalid = { ...line, idsPath: 'ids', variableIds: ['5', '9'], values: { nick: 'x', other: 'y' } }
    expect(readLine(invalid, known).violations.map(({ path }) => path)).toEqual(['ids.1', 'a.other'])
  })

  it('ignores the unknown ids of a product, because their variables may have been deleted', () => {
    expect(readLine({ ...line, variableIds: ['9'] }, known)).toEqual({ questions: [], violations: [] })
  })
})

describe('an answer', () => {
  const ask = (variable: CustomVariable, answer: string | undefined): Question => ({ variable, path: 'a.nick', answer })

  it('is required unless a dropdown has a default option', () => {
    const option = { id: '1', name: '', price: 0, priceType: 'fixed' as const }
    const options = [
      { ...option, value: 'red', isDefault: false },
      { ...option, value: 'blue', isDefault: true },
    ]
    const dropdown: CustomVariable = { ...text, type: 'dropdown', options }
    expect(resolveAnswer(ask(text, undefined))).toMatchObject({ path: 'a.nick', validation: 'required' })
    expect(resolveAnswer(ask(dropdown, undefined))).toMatchObject({ value: 'blue' })
    expect(resolveAnswer(ask(dropdown, 'red'))).toMatchObject({ value: 'red' })
    expect(resolveAnswer(ask(dropdown, 'green'))).toMatchObject({ path: 'a.nick', validation: 'enum' })
  })

  it.each(['0', '-0.5', '123456789012345.123456'])('a number variable accepts %s', (answer) => {
    expect(resolveAnswer(ask({ ...text, type: 'number' }, answer))).toMatchObject({ value: answer })
  })

  it.each(['x1', '1x', '1.', '.5', '1.x', '1.1234567', '1234567890123456'])(
    'a number variable rejects %s',
    (answer) => {
      expect(resolveAnswer(ask({ ...text, type: 'number' }, answer))).toMatchObject({ validation: 'format' })
    },
  )

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
