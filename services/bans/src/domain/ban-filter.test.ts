import { describe, expect, it } from 'vitest'
import { checkFilter } from './ban-filter.ts'

describe('the filter of a list', () => {
  it('restricts nothing that is not given', () => {
    expect(checkFilter({})).toEqual({ identity: undefined, partOfReason: undefined })
    expect(checkFilter({ type: 'email', reason: '' })).toEqual({ identity: 'email', partOfReason: undefined })
  })

  it('reads a value as its type does', () => {
    expect(checkFilter({ type: 'ip', value: '::ffff:192.0.2.1' }).identity).toEqual([
      { type: 'ip', value: '192.0.2.1', matchValue: '192.0.2.1' },
    ])
    expect(() => checkFilter({ type: 'ip', value: 'Bob' })).toThrow('ban_type_value')
  })

  it('reads a value without a type as each type that it can be', () => {
    const typesOf = (value: string) => {
      const { identity } = checkFilter({ value })
      return typeof identity === 'object' ? identity.map(({ type }) => type) : identity
    }
    expect(typesOf('76561197960265729')).toEqual(['steam', 'customer', 'customer_name', 'xbox_xuid'])
    expect(typesOf('Bob@Example.com')).toEqual(['customer_name', 'email'])
    expect(typesOf('')).toEqual([])
  })

  it('of a type that no ban has finds none', () => {
    expect(checkFilter({ type: 'invalid', value: 'x' }).identity).toEqual([])
  })

  it('folds the part of a reason, which has a limit', () => {
    expect(checkFilter({ reason: 'CHARGE' }).partOfReason).toBe('charge')
    expect(() => checkFilter({ reason: 'x'.repeat(1001) })).toThrow('reason')
  })
})
