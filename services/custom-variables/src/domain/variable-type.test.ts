import { describe, expect, it } from 'vitest'
import type { OptionDraft, VariableState, VariableType } from './custom-variable.ts'
import { fitToType } from './variable-type.ts'

const option: OptionDraft = { id: '7', name: 'A', value: 'a', price: 0, priceType: 'fixed', isDefault: false }
const known = new Set(['7'])

function fit(type: VariableType, given: Partial<VariableState>, before: Partial<VariableState> = {}) {
  const blank = { identifier: 'x', name: 'X', description: '', valueRegex: null, options: [] }
  const { state, violations } = fitToType({ ...blank, ...before, type, ...given }, given, known)
  return violations.length > 0 ? violations.map(({ path, validation }) => `${path} ${validation}`) : state
}

describe('a variable', () => {
  it.each<VariableType>(['text', 'number'])('of type %s keeps its pattern and drops its options', (type) => {
    expect(fit(type, {}, { valueRegex: 'a', options: [option] })).toMatchObject({ valueRegex: 'a', options: [] })
    expect(fit(type, { options: [] })).toMatchObject({ options: [] })
    expect(fit(type, { options: [option] })).toEqual(['options exclusive'])
  })

  it('a dropdown keeps its options and drops its pattern', () => {
    expect(fit('dropdown', {}, { valueRegex: 'a', options: [option] })).toMatchObject({
      valueRegex: null,
      options: [option],
    })
    expect(fit('dropdown', { valueRegex: null, options: [option] })).toMatchObject({ options: [option] })
    expect(fit('dropdown', { valueRegex: '' }, { options: [option] })).toEqual(['value_regex exclusive'])
  })

  it('a new dropdown needs options, and a dropdown cannot lose all of them', () => {
    expect(fit('dropdown', {})).toEqual(['options required'])
    expect(fit('dropdown', { options: [] }, { options: [option] })).toEqual(['options length'])
  })

  it('accepts the ids of existing options, and new options without an id', () => {
    const options = [{ ...option, id: null }, { ...option, id: '8' }, option]
    expect(fit('dropdown', { options })).toEqual(['options.1.id reference'])
  })
})
