import { foldText } from '@storekeep/proto/conventions/folded-text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldedNames, uncommonParts } from './folded-text.ts'

describe('folded names', () => {
  it('are the same for every way of writing a name', () => {
    expect(foldText('A\u0308RGER')).toBe(foldText('ärger'))
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => foldText(foldText(name)) === foldText(name)))
  })

  it('have the uncommon parts of every text inside them, so that the index misses none', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '7', ' ', 'é', '小', '明', '🦀'), maxLength: 8 })
    fc.assert(
      fc.property(name, fc.nat(8), fc.nat(8), (whole, from, length) => {
        const part = [...whole].slice(from, from + length).join('')
        expect(uncommonParts(whole)).toEqual(expect.arrayContaining(uncommonParts(part)))
      }),
    )
  })

  it('cost nothing for plain names', () => {
    const names = { name: 'Notch', steamName: null, minecraftName: 'jeb99' }
    expect(foldedNames(names)).toMatchObject({ searchText: 'notch\u001fjeb99', uncommonParts: [] })
  })
})
