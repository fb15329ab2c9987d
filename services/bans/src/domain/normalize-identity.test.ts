import { describe, expect, it } from 'vitest'
import type { BanType } from './ban.ts'
import { normalizeIdentity } from './normalize-identity.ts'

const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

describe('normalizeIdentity', () => {
  it.each<[BanType, string, string]>([
    ['steam', '76561197960265729', '76561197960265729'],
    ['ip', '::ffff:192.0.2.1', '192.0.2.1'],
    ['customer', '411486491630370816', '411486491630370816'],
    ['email', ' Robin@Example.COM\t', 'robin@example.com'],
    ['email', 'A\u0308rger@x', 'ärger@x'],
    ['minecraft_uuid', uuid.replaceAll('-', '').toUpperCase(), uuid],
    ['xbox_xuid', '02535428504324680', '2535428504324680'],
  ])('normalizes %s %j to %j', (type, text, value) => {
    expect(normalizeIdentity(type, text)).toEqual({ type, value, matchValue: value })
  })

  it('compares names and addresses by their caseless text and keeps them as given', () => {
    expect(normalizeIdentity('customer_name', 'ẞta\u200DR')).toEqual({
      type: 'customer_name',
      value: 'ẞta\u200DR',
      matchValue: 'sstar',
    })
    const email = normalizeIdentity('email', 'Ro\u00ADbin@ﬁsh.example')
    expect(email).toEqual({ type: 'email', value: 'ro\u00ADbin@ﬁsh.example', matchValue: 'robin@fish.example' })
    expect(normalizeIdentity('customer_name', '🦊'.repeat(128))).toBeDefined()
  })

  it.each<[BanType, string]>([
    ['steam', '76561197960265728'],
    ['steam', 'STEAM_0:1:1'],
    ['ip', 'example.com'],
    ['customer', '0'],
    ['customer', '9223372036854775808'],
    ['customer_name', ''],
    ['customer_name', '🦊'.repeat(129)],
    ['customer_name', 'a\0b'],
    ['email', 'robin'],
    ['email', '@example.com'],
    ['email', 'robin@'],
    ['email', 'a@b@c'],
    ['email', 'a b@c'],
    ['email', `${'x'.repeat(250)}@y.zz`],
    // 252 characters before folding, more after.
    ['email', `${'İ'.repeat(120)}${'a'.repeat(120)}@example.org`],
    ['minecraft_uuid', uuid.slice(1)],
    ['xbox_xuid', '1'.repeat(21)],
  ])('rejects %s %j', (type, text) => {
    expect(normalizeIdentity(type, text)).toBeUndefined()
  })
})
