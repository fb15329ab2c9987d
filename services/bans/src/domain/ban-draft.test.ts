import { violationsIn } from '@storekeep/common/testing/faults'
import { describe, expect, it } from 'vitest'
import { type BanInput, checkNewBan } from './ban-draft.ts'
import type { IdentityInput } from './identity-input.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const steam: IdentityInput = { type: 'steam', value: '76561197960265729' }
const check = (input: Partial<BanInput>) => checkNewBan({ identities: [steam], ...input }, now)

describe('a new ban', () => {
  it('requires only an identity and is permanent by default', () => {
    expect(check({})).toEqual({
      reason: '',
      expiresAt: null,
      identities: [{ ...steam, matchValue: '76561197960265729' }],
    })
  })

  it('keeps the first of equal identities', () => {
    const { identities } = check({
      identities: [
        { type: 'customer_name', value: 'Bob' },
        { type: 'ip', value: '::ffff:192.0.2.1' },
        { type: 'customer_name', value: 'BOB' },
        { type: 'ip', value: '192.0.2.1' },
        { type: 'email', value: 'bob@x' },
      ],
    })
    expect(identities.map(({ type, value }) => `${type} ${value}`)).toEqual([
      'customer_name Bob',
      'ip 192.0.2.1',
      'email bob@x',
    ])
  })

  it('accepts 100 identities and a reason of 1,000 characters', () => {
    const identities = Array.from({ length: 100 }, (_, n): IdentityInput => ({ type: 'xbox_xuid', value: `${n}` }))
    expect(check({ identities, reason: '🦊'.repeat(1000) }).identities).toHaveLength(100)
  })

  it.each<[string, Partial<BanInput>, string[]]>([
    ['without identities', { identities: [] }, ['identities length']],
    ['with 101 identities', { identities: Array(101).fill(steam) }, ['identities length']],
    ['with a reason of 1,001 characters', { reason: 'x'.repeat(1001) }, ['reason length']],
    ['with NUL in its reason', { reason: '\0' }, ['reason pattern']],
    ['that expires now', { expiresAt: now }, ['expires_at min']],
    [
      'with every field invalid',
      {
        identities: [steam, { type: 'invalid', value: 'x' }, { type: 'ip', value: 'x' }],
        reason: 'x'.repeat(1001),
        expiresAt: new Date(0),
      },
      ['identities.1.ban_type enum', 'identities.2.ban_type_value format', 'reason length', 'expires_at min'],
    ],
  ])('%s is rejected', (_what, input, expected) => {
    expect(violationsIn(() => check(input))).toEqual(expected)
  })
})
