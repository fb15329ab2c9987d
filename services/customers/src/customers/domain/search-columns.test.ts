import { foldText } from '@storekeep/proto/conventions/folded-text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchColumns, shortNgrams } from './search-columns.ts'

describe('the search columns', () => {
  it('are equal for every spelling of a name', () => {
    expect(foldText('A\u0308RGER')).toBe(foldText('ärger'))
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => foldText(foldText(name)) === foldText(name)))
  })

  it('contain the short n-grams of every substring', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '7', ' ', 'é', '小', '明', '🦀'), maxLength: 8 })
    fc.assert(
      fc.property(name, fc.nat(8), fc.nat(8), (whole, from, length) => {
        const part = [...whole].slice(from, from + length).join('')
        expect(shortNgrams(whole)).toEqual(expect.arrayContaining(shortNgrams(part)))
      }),
    )
  })

  it('contain the 1- and 2-grams of a name with other characters than a-z and 0-9', () => {
    expect(shortNgrams('abé小1')).toEqual(['bé', 'é', 'é小', '小', '小1'])
    expect(searchColumns({ name: 'É', steamName: 'É', minecraftName: 'x_' }).shortNgrams).toEqual(['é', 'x_', '_'])
  })

  it('contain no short n-grams for names of a-z and 0-9', () => {
    const names = { name: 'Notch', steamName: null, minecraftName: 'jeb99' }
    expect(searchColumns(names)).toMatchObject({ searchText: 'notch\u001fjeb99', shortNgrams: [] })
  })
})
