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
  gameServerIds: [],
  singleGameServerOnly: false,
  commands: [],
  removeAfterEnabled: false,
  stockLimitDoNotIncludeRemoved: false,
  requiredProductIds: [],
  requiredProductAll: false,
  allowConcurrentActiveItems: true,
}

const command: TermsInput['commands'][number] = {
  stage: 'on_purchase',
  content: 'give {customer.name} diamond',
  onlineOnly: true,
  overrideGameServerIds: [],
  delaySeconds: 0,
  requiredSlots: 0,
}
const limit = { enabled: true, quantity: 10, includeTrials: false }

function wrong(change: Partial<TermsInput>, at?: string): string[] {
  return termsViolations({ ...terms, ...change }, at).map(({ path, validation }) => `${path} ${validation}`)
}

describe('the terms of a product', () => {
  it.each<[string, Partial<TermsInput>]>([
    ['only the required fields', {}],
    ['a name of 128 characters', { name: '🦊'.repeat(128) }],
    ['the highest price', { price: 1_000_000_000_000n }],
    ['a slug with hyphens and upper case', { slug: 'VIP-rank-2' }],
    ['an image', { imageUrl: 'https://shop.example.com/vip.png' }],
    ['an image on this machine', { imageUrl: 'http://127.0.0.1:8081/vip.png' }],
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
    ['50 commands with the longest delay', { commands: Array(50).fill({ ...command, delaySeconds: 86_400 }) }],
    ['a command of 2,000 characters', { commands: [{ ...command, content: '🦊'.repeat(2000) }] }],
    ['braces of Minecraft', { commands: [{ ...command, content: 'tellraw @a {"text":"{player.name}"} {{x}' }] }],
    ['a disabled removal with a time', { removeAfterTimeValue: 1, removeAfterTimeScale: 'week' }],
    ['the longest removal', { removeAfterEnabled: true, removeAfterTimeValue: 10_000, removeAfterTimeScale: 'month' }],
    ['a limit of 0', { storeStockLimit: { ...limit, quantity: 0 } }],
    ['a limit per year', { customerStockLimit: { ...limit, timeValue: 1, timeScale: 'year' } }],
    ['a disabled limit without a quantity', { storeStockLimit: { enabled: false, includeTrials: false } }],
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
    [{ imageUrl: 'http://shop.example.com/vip.png' }, ['image_url format']],
    [{ imageUrl: '/vip.png' }, ['image_url format']],
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
    [{ gameServerIds: ['1', 'x'] }, ['gameservers.1 format']],
    [{ gameServerIds: Array(101).fill('1') }, ['gameservers length']],
    [{ commands: Array(51).fill(command) }, ['commands length']],
    [{ commands: [command, { ...command, stage: 'invalid' }] }, ['commands.1.stage enum']],
    [{ commands: [{ ...command, content: '' }] }, ['commands.0.content length']],
    [{ commands: [{ ...command, content: 'x'.repeat(2001) }] }, ['commands.0.content length']],
    [{ commands: [{ ...command, content: 'ban {customer.nmae}' }] }, ['commands.0.content pattern']],
    [{ commands: [{ ...command, delaySeconds: -1 }] }, ['commands.0.delay_seconds min']],
    [{ commands: [{ ...command, delaySeconds: 86_401 }] }, ['commands.0.delay_seconds max']],
    [{ commands: [{ ...command, requiredSlots: 55 }] }, ['commands.0.required_slots max']],
    [
      { commands: [{ ...command, overrideGameServerIds: ['0'] }] },
      ['commands.0.override_execute_on_gameserver_ids.0 format'],
    ],
    [{ removeAfterEnabled: true }, ['remove_after_time_value required', 'remove_after_time_scale required']],
    [{ removeAfterTimeValue: 1 }, ['remove_after_time_scale required']],
    [{ removeAfterTimeValue: 10_001, removeAfterTimeScale: 'day' }, ['remove_after_time_value max']],
    [{ removeAfterTimeValue: 1, removeAfterTimeScale: 'year' }, ['remove_after_time_scale enum']],
    [{ storeStockLimit: { enabled: true, includeTrials: false } }, ['store_stock_limit.quantity required']],
    [{ storeStockLimit: { ...limit, quantity: -1 } }, ['store_stock_limit.quantity min']],
    [{ customerStockLimit: { ...limit, quantity: 1_000_000_001 } }, ['customer_stock_limit.quantity max']],
    [{ customerStockLimit: { ...limit, timeValue: 1 } }, ['customer_stock_limit.time_scale required']],
    [
      { storeStockLimit: { ...limit, timeScale: 'invalid' } },
      ['store_stock_limit.time_value required', 'store_stock_limit.time_scale enum'],
    ],
    [{ requiredProductIds: ['x'] }, ['required_product_ids.0 format']],
    [{ requiredProductIds: Array(51).fill('1') }, ['required_product_ids length']],
  ])('are invalid with %o', (change, expected) => {
    expect(wrong(change)).toEqual(expected)
  })

  it('name the placeholder that the author may have meant', () => {
    const input = { ...terms, commands: [{ ...command, content: 'ban {customer.nmae}' }] }
    expect(termsViolations(input)[0]?.message).toBe(
      'has the unknown placeholder {customer.nmae}; did you mean {customer.name}?',
    )
  })

  it('are reported with their path in the request', () => {
    expect(wrong({ name: '', tags: ['x'] }, 'lines.3.inline_product')).toEqual([
      'lines.3.inline_product.name length',
      'lines.3.inline_product.tags.0 format',
    ])
  })
})
