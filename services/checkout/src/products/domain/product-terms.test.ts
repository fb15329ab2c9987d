import { describe, expect, it } from 'vitest'
import { type TermsInput, termsViolations } from './product-terms.ts'

const terms: TermsInput = {
  name: 'VIP rank',
  price: 999n,
  allowOneTimePurchase: true,
  allowSubscription: false,
  tags: [],
  customVariableIds: [],
  isHidden: false,
  isCouponsDisabled: false,
  isGiftingDisabled: false,
  isAffiliateLinksDisabled: false,
  metadata: {},
}

function wrong(change: Partial<TermsInput>, at?: string): string[] {
  return termsViolations({ ...terms, ...change }, at).map(({ path, validation }) => `${path} ${validation}`)
}

describe('the terms of a product', () => {
  it.each<[string, Partial<TermsInput>]>([
    ['only the required fields', {}],
    ['a name of 128 characters', { name: '🦊'.repeat(128) }],
    ['the highest price', { price: 1_000_000_000_000n }],
    ['a slug with hyphens and upper case', { slug: 'VIP-rank-2' }],
    ['empty texts', { description: '', label: '' }],
    ['100 tags', { tags: Array(100).fill('1') }],
    ['50 variables', { customVariableIds: Array(50).fill('1') }],
    ['the longest interval in days', { subscriptionIntervalValue: 365, subscriptionIntervalScale: 'day' }],
    ['the longest interval in weeks', { subscriptionIntervalValue: 156, subscriptionIntervalScale: 'week' }],
    ['the longest interval in months', { subscriptionIntervalValue: 36, subscriptionIntervalScale: 'month' }],
    ['the longest interval in years', { subscriptionIntervalValue: 3, subscriptionIntervalScale: 'year' }],
    [
      'only subscriptions',
      {
        allowOneTimePurchase: false,
        allowSubscription: true,
        subscriptionIntervalValue: 1,
        subscriptionIntervalScale: 'day',
      },
    ],
    ['a sales period', { enabledAt: new Date(1), enabledUntil: new Date(2) }],
  ])('are valid with %s', (_, change) => {
    expect(wrong(change)).toEqual([])
  })

  it.each<[Partial<TermsInput>, string[]]>([
    [{ name: '' }, ['name length']],
    [{ name: 'x'.repeat(129) }, ['name length']],
    [{ name: 'a\0b' }, ['name pattern']],
    [{ price: -1n }, ['price min']],
    [{ price: 1_000_000_000_001n }, ['price max']],
    [{ slug: '' }, ['slug pattern']],
    [{ slug: 'a--b' }, ['slug pattern']],
    [{ slug: 'é' }, ['slug pattern']],
    [{ slug: 'x'.repeat(65) }, ['slug pattern']],
    [{ description: 'x'.repeat(10_001) }, ['description length']],
    [{ label: 'x'.repeat(129) }, ['label length']],
    [{ tags: ['1', '0'] }, ['tags.1 format']],
    [{ tags: Array(101).fill('1') }, ['tags length']],
    [{ customVariableIds: Array(51).fill('1') }, ['custom_variable_ids length']],
    [{ allowOneTimePurchase: false }, ['allow_one_time_purchase required']],
    [{ allowSubscription: true }, ['subscription_interval_scale required', 'subscription_interval_value required']],
    [{ subscriptionIntervalScale: 'day' }, ['subscription_interval_value required']],
    [{ subscriptionIntervalValue: 1 }, ['subscription_interval_scale required']],
    [{ subscriptionIntervalValue: 0, subscriptionIntervalScale: 'day' }, ['subscription_interval_value min']],
    [{ subscriptionIntervalValue: 366, subscriptionIntervalScale: 'day' }, ['subscription_interval_value max']],
    [{ subscriptionIntervalValue: 157, subscriptionIntervalScale: 'week' }, ['subscription_interval_value max']],
    [{ subscriptionIntervalValue: 37, subscriptionIntervalScale: 'month' }, ['subscription_interval_value max']],
    [{ subscriptionIntervalValue: 4, subscriptionIntervalScale: 'year' }, ['subscription_interval_value max']],
    [{ subscriptionIntervalValue: 1, subscriptionIntervalScale: 'invalid' }, ['subscription_interval_scale enum']],
    [{ enabledAt: new Date(2), enabledUntil: new Date(2) }, ['enabled_until min']],
    [{ metadata: { ['k'.repeat(65)]: '' } }, [`metadata.${'k'.repeat(65)} length`]],
    [{ metadata: { a: 'x'.repeat(501) } }, ['metadata.a length']],
  ])('are invalid with %o', (change, expected) => {
    expect(wrong(change)).toEqual(expected)
  })

  it('are reported with their path in the request', () => {
    expect(wrong({ name: '', tags: ['x'] }, 'lines.3.inline_product')).toEqual([
      'lines.3.inline_product.name length',
      'lines.3.inline_product.tags.0 format',
    ])
  })
})
