import { randomBytes } from 'node:crypto'
import { decodeSecret, encodeSecret } from '@storekeep/common/crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTokenCodec } from './customer-token.ts'

const now = new Date('2026-11-20T12:00:00.500Z')
const clock = { now: () => now }
const [oldKey, newKey] = [1, 2].map((id) => ({ id, secret: randomBytes(32) })) as [Key, Key]
type Key = { id: number; secret: Buffer }
const codec = createTokenCodec([newKey, oldKey], { clock, randomBytes })

const flakeId = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String)
const epoch = fc.nat(2 ** 31)
const subject = fc.record({
  storeId: flakeId,
  customerId: flakeId,
  customerEpoch: epoch,
  storeEpoch: epoch,
  claimed: fc.boolean(),
})

describe('a customer token', () => {
  it('contains the claims it was minted with', () => {
    fc.assert(
      fc.property(subject, (minted) => {
        const text = codec.mint(minted)
        const issuedAt = Math.floor(now.getTime() / 1000)
        const expiresAt = issuedAt + (minted.claimed ? 86_400 : 30 * 86_400)
        expect(codec.read(text)).toMatchObject({
          outcome: 'genuine',
          claims: { ...minted, issuedAt, expiresAt, keyId: 2 },
        })
        expect(text.length).toBeLessThan(150)
      }),
    )
  })

  it('is rejected with any byte changed, removed or added', () => {
    fc.assert(
      fc.property(subject, fc.nat(), fc.integer({ min: 1, max: 255 }), (minted, at, change) => {
        const bytes = decodeSecret('skcus', codec.mint(minted)) ?? Buffer.alloc(0)
        const changed = Buffer.from(bytes)
        const place = at % bytes.length
        changed[place] = (changed[place] ?? 0) ^ change
        for (const forged of [changed, bytes.subarray(0, place), Buffer.concat([bytes, Buffer.from([change])])]) {
          expect(codec.read(encodeSecret('skcus', forged)).outcome).toMatch(/forged|malformed/)
        }
      }),
    )
  })

  it('is rejected for any other input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.uint8Array({ maxLength: 300 }).map((bytes) => encodeSecret('skcus', bytes)),
        ),
        (text) => {
          expect(codec.read(text).outcome).toMatch(/forged|malformed/)
        },
      ),
    )
  })

  it('is accepted with every configured key, so keys can rotate', () => {
    const any = { storeId: '1', customerId: '2', customerEpoch: 0, storeEpoch: 0, claimed: false }
    const before = createTokenCodec([oldKey], { clock, randomBytes })
    const after = createTokenCodec([newKey], { clock, randomBytes })
    expect(codec.read(before.mint(any)).outcome).toBe('genuine')
    expect(after.read(before.mint(any)).outcome).toBe('forged')
    expect(after.read(codec.mint(any)).outcome).toBe('genuine')
    expect(before.read(codec.mint(any)).outcome).toBe('forged')
  })
})
