import { ServiceFault } from '@storekeep/common/errors'
import { describe, expect, it } from 'vitest'
import { unsetDetails } from './store-details.ts'
import { checkStore, type StoreInput } from './store-draft.ts'

const input: StoreInput = {
  slug: 'rusty-isles',
  name: 'Rusty Isles',
  game: 'rust',
  currency: 'eur',
}

function rejections(change: Partial<StoreInput>) {
  try {
    checkStore({ ...input, ...change })
  } catch (error) {
    if (error instanceof ServiceFault) return error.violations.map(({ path, validation }) => `${path} ${validation}`)
    throw error
  }
  return []
}

describe('a new store', () => {
  it('gets defaults for omitted fields', () => {
    expect(checkStore(input)).toEqual({ ...unsetDetails, ...input, bedrockPrefix: '.' })
  })

  it('trims the name and lower-cases the currency', () => {
    expect(checkStore({ ...input, name: '  Isles \n', currency: 'EUR' })).toMatchObject({
      name: 'Isles',
      currency: 'eur',
    })
  })

  it.each(['a', '7', 'a-b-c', '0'.repeat(64)])('accepts the slug %s', (slug) => {
    expect(rejections({ slug })).toEqual([])
  })

  it.each([
    ['', 'required'],
    ['a'.repeat(65), 'length'],
    ['A', 'pattern'],
    ['-a', 'pattern'],
    ['a-', 'pattern'],
    ['a--b', 'pattern'],
    ['a_b', 'pattern'],
    ['ä', 'pattern'],
    ['a\n', 'pattern'],
    ['a/b', 'pattern'],
  ])('rejects the slug "%s"', (slug, validation) => {
    expect(rejections({ slug })).toEqual([`slug ${validation}`])
  })

  it.each([
    ['', 'required'],
    ['  ', 'required'],
    ['x'.repeat(129), 'length'],
    ['a\u0000b', 'pattern'],
    ['a\nb', 'pattern'],
  ])('rejects the name %j', (name, validation) => {
    expect(rejections({ name })).toEqual([`name ${validation}`])
  })

  it('counts user-perceived characters of the name', () => {
    expect(rejections({ name: '🏝'.repeat(128) })).toEqual([])
  })

  it.each([
    ['', 'required'],
    ['xyz', 'enum'],
    ['eu', 'enum'],
    ['€', 'enum'],
  ])('rejects the currency "%s"', (currency, validation) => {
    expect(rejections({ currency })).toEqual([`currency ${validation}`])
  })

  it.each(['https://cdn.example/a.png', 'http://localhost:9000/a.png?x=1#y', 'HTTPS://EXAMPLE.COM'])(
    'may have the logo %s',
    (logoUrl) => {
      expect(rejections({ logoUrl, logoSquareUrl: logoUrl })).toEqual([])
    },
  )

  it.each([
    ['', 'format'],
    ['/a.png', 'format'],
    ['//cdn.example/a.png', 'format'],
    ['http://cdn.example/a.png', 'format'],
    ['ftp://cdn.example/a.png', 'format'],
    ['javascript:alert(1)', 'format'],
    ['data:image/png;base64,AAAA', 'format'],
    ['https:cdn.example', 'format'],
    ['https://', 'format'],
    ['https://user:password@cdn.example', 'format'],
    ['https://cdn.example/a b', 'format'],
    ['https://cdn.example\\@evil.example', 'format'],
    ['https://cdn.example/\u0001', 'format'],
    [' https://cdn.example', 'format'],
    [`https://cdn.example/${'a'.repeat(2048)}`, 'length'],
  ])('rejects the logo "%s"', (logoUrl, validation) => {
    expect(rejections({ logoUrl })).toEqual([`logo_url ${validation}`])
    expect(rejections({ logoSquareUrl: logoUrl })).toEqual([`logo_square_url ${validation}`])
  })

  it.each(['.', '*', '-BE_', '…'])('accepts the Bedrock prefix %s', (bedrockPrefix) => {
    expect(rejections({ bedrockPrefix })).toEqual([])
  })

  it.each([
    ['', 'length'],
    ['.....', 'length'],
    ['BE_', 'pattern'],
    ['_', 'pattern'],
    ['. .', 'pattern'],
  ])('rejects the Bedrock prefix "%s"', (bedrockPrefix, validation) => {
    expect(rejections({ bedrockPrefix })).toEqual([`bedrock_prefix ${validation}`])
  })

  it('reports every invalid field', () => {
    expect(rejections({ slug: '', name: '', game: undefined, currency: '', logoUrl: 'x', bedrockPrefix: '' })).toEqual([
      'slug required',
      'game enum',
      'currency required',
      'bedrock_prefix length',
      'name required',
      'logo_url format',
    ])
  })
})
