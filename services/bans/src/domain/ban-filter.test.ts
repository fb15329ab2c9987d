import { describe, expect, it } from 'vitest'
import { banTypes } from './ban.ts'
import { checkBanFilter } from './ban-filter.ts'

describe('the list filter', () => {
  it('is empty for absent parameters', () => {
    expect(checkBanFilter({})).toEqual({ identity: undefined, reasonSubstring: undefined })
    expect(checkBanFilter({ type: 'email', reason: '' })).toEqual({ identity: 'email', reasonSubstring: undefined })
  })

  it('normalizes the value by its type', () => {
    expect(checkBanFilter({ type: 'ip', value: '::ffff:192.0.2.1' }).identity).toEqual([
      { type: 'ip', value: '192.0.2.1', matchValue: '192.0.2.1' },
    ])
    expect(() => checkBanFilter({ type: 'ip', value: 'Bob' })).toThrow('ban_type_value')
  })

  it.each(banTypes)('says what a value of type %s must be', (type) => {
    expect(() => checkBanFilter({ type, value: '\0' })).toThrow(/^.*ban_type_value: must be (?:an? \w|1 to 20 )/)
  })

  it('tries a value without a type as every type', () => {
    const typesOf = (value: string) => {
      const { identity } = checkBanFilter({ value })
      return typeof identity === 'object' ? identity.map(({ type }) => type) : identity
    }
    expect(typesOf('76561197960265729')).toEqual(['steam', 'customer', 'customer_name', 'xbox_xuid'])
    expect(typesOf('Bob@Example.com')).toEqual(['customer_name', 'email'])
    expect(typesOf('')).toEqual([])
  })

  it('matches nothing for a type that no ban can have', () => {
    expect(checkBanFilter({ type: 'invalid', value: 'x' }).identity).toEqual([])
  })

  it('case-folds the reason and limits its length', () => {
    expect(checkBanFilter({ reason: 'CHARGE' }).reasonSubstring).toBe('charge')
    expect(() => checkBanFilter({ reason: 'x'.repeat(1001) })).toThrow('reason')
  })
})
