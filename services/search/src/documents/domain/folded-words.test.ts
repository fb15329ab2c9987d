import { describe, expect, it } from 'vitest'
import { foldForSearch, wordsOf } from './folded-words.ts'

describe('foldForSearch', () => {
  it.each([
    ['Ärger', 'arger'],
    ['A\u0308RGER', 'arger'],
    ['ÉCOLE', 'ecole'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Ørsted', 'orsted'],
    ['İstanbul', 'istanbul'],
    ['ﬁsh', 'fish'],
    ['Ætna Œuvre', 'aetna oeuvre'],
    ['Đorđe', 'dorde'],
    ['Ðór', 'dor'],
    ['Þór', 'thor'],
    ['Ħal', 'hal'],
    ['kıs', 'kis'],
    ['ＦＵＬＬ', 'full'],
    ['  x ', 'x'],
    ['Москва', 'москва'],
  ])('maps %j to %j', (text, folded) => {
    expect(foldForSearch(text)).toBe(folded)
  })
})

it('ASCII is folded and split like other text', () => {
  for (let code = 0; code < 128; code += 1) {
    const text = ` Ab${String.fromCharCode(code)}9 `
    // The accent makes it other text.
    expect(foldForSearch(text)).toBe(foldForSearch(`${text}é`).slice(0, -1).trim())
    expect(wordsOf(foldForSearch(text))).toEqual(wordsOf(`${foldForSearch(text)} é`).slice(0, -1))
  }
})

describe('wordsOf', () => {
  it.each([
    ['robin hood', ['robin', 'hood']],
    ['robin_2-x', ['robin', '2', 'x']],
    ['a a a', ['a']],
    ['🦊robin★★', ['🦊', 'robin', '★★']],
    ['069a79f4-44e9', ['069a79f4', '44e9']],
    ['!?', []],
    ['', []],
  ])('splits %j into %j', (folded, words) => {
    expect(wordsOf(folded)).toEqual(words)
  })
})
