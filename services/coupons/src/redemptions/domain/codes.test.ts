import { describe, expect, it } from 'vitest'
import type { AffiliateLink } from '../../affiliate-links/domain/affiliate-link.ts'
import type { Coupon } from '../../coupons/domain/coupon.ts'
import { chooseCodes } from './codes.ts'

const now = new Date('2026-11-20T12:00:00Z')
const summer = {
  id: '1',
  code: 'SUMMER',
  enabled: true,
  usableAt: null,
  expiresAt: null,
  usableByCustomerId: null,
} as Coupon
const winter = { ...summer, id: '2', code: 'Winter' }
const robin = { id: '3', code: 'Robin_7', enabled: true } as AffiliateLink
const ann = { ...robin, id: '4', code: 'ann' }

interface Given {
  coupons?: Coupon[]
  links?: AffiliateLink[]
  couponId?: string
  promoCodes?: string[]
  affiliateCode?: string
  affiliateLinkId?: string
}

const none = { affiliateCode: undefined, affiliateLinkId: undefined }

function choose({ coupons = [summer, winter], links = [robin, ann], promoCodes = [], ...codes }: Given) {
  const order = { storeId: '5', customerId: '6', couponId: undefined, ...none, promoCodes, ...codes }
  const { coupon, affiliateLink, violations } = chooseCodes(order, { coupons, affiliateLinks: links }, now)
  return {
    coupon: coupon && `${coupon.terms.id} by ${coupon.path}`,
    link: affiliateLink?.id,
    violations: violations.map(({ path, code, validation }) =>
      code === validation ? `${path} ${code}` : `${path} ${code} (${validation})`,
    ),
  }
}

describe('the codes of an order', () => {
  it('name a coupon and an affiliate link in any case, with surrounding whitespace', () => {
    const expected = { coupon: '1 by promo_codes.1', link: '3', violations: [] }
    expect(choose({ promoCodes: [' ROBIN_7\t', 'summer'] })).toEqual(expected)
  })

  it('are equal if they differ only in case or Unicode composition', () => {
    expect(choose({ coupons: [{ ...summer, code: 'Ärger' }], promoCodes: ['A\u0308RGER'] }).coupon).toBe(
      '1 by promo_codes.0',
    )
  })

  it('mean the coupon if a coupon and an affiliate link have the same code', () => {
    expect(choose({ links: [{ ...robin, code: 'summer' }], promoCodes: ['Summer'] })).toEqual({
      coupon: '1 by promo_codes.0',
      link: undefined,
      violations: [],
    })
  })

  it('keep the affiliate link that was applied before, even if it is disabled now, and allow no second one', () => {
    const applied = { links: [{ ...robin, enabled: false }, ann], affiliateLinkId: '3', promoCodes: ['summer'] }
    expect(choose(applied)).toEqual({ coupon: '1 by promo_codes.0', link: '3', violations: [] })
    expect(choose({ ...applied, promoCodes: ['ann'] }).violations).toEqual(['promo_codes.0 exclusive'])
    expect(choose({ ...applied, affiliateLinkId: '9' })).toMatchObject({ link: undefined, violations: [] })
  })

  it('may name the same coupon and the same affiliate link twice', () => {
    const codes = { couponId: '1', promoCodes: ['SUMMER', 'robin_7', 'SUMMER'], affiliateCode: 'Robin_7' }
    expect(choose(codes)).toEqual({ coupon: '1 by coupon_id', link: '3', violations: [] })
  })

  it('are rejected at their path if they are unknown', () => {
    const { violations } = choose({ couponId: '9', promoCodes: ['unknown', 'summer', 'neither'] })
    expect(violations).toEqual(['coupon_id reference', 'promo_codes.0 reference', 'promo_codes.2 reference'])
  })

  it('are rejected if they name a second coupon or a second affiliate link', () => {
    expect(choose({ couponId: '1', promoCodes: ['Winter', 'Robin_7', 'ann'] }).violations).toEqual([
      'promo_codes.0 exclusive',
      'promo_codes.2 exclusive',
    ])
    expect(choose({ promoCodes: ['Robin_7'], affiliateCode: 'ann' }).violations).toEqual(['affiliate_code exclusive'])
  })

  it('are rejected as promo code if they name a disabled affiliate link', () => {
    const links = [{ ...robin, enabled: false }]
    expect(choose({ links, promoCodes: ['Robin_7'] }).violations).toEqual([
      'promo_codes.0 affiliate-disabled (reference)',
    ])
  })

  it.each(['unknown', '', 'SUMMER', 'off'])(
    'are ignored as affiliate code if they are unusable: %j',
    (affiliateCode) => {
      const links = [robin, { ...ann, code: 'off', enabled: false }]
      expect(choose({ links, affiliateCode })).toEqual({ coupon: undefined, link: undefined, violations: [] })
    },
  )
})

describe('a coupon', () => {
  const at = (milliseconds: number) => new Date(now.getTime() + milliseconds)

  it.each<[string, Partial<Coupon>]>([
    ['coupon-disabled', { enabled: false, usableAt: at(1) }],
    ['coupon-not-started', { usableAt: at(1) }],
    ['coupon-expired', { expiresAt: at(0), usableByCustomerId: '7' }],
    ['coupon-other-customer', { usableByCustomerId: '7' }],
  ])('is rejected with %s, the first reason only, at the path that names it (%o)', (reason, terms) => {
    const coupons = [{ ...summer, ...terms }]
    expect(choose({ coupons, couponId: '1' }).violations).toEqual([`coupon_id ${reason} (reference)`])
    expect(choose({ coupons, promoCodes: ['SUMMER'] }).violations).toEqual([`promo_codes.0 ${reason} (reference)`])
  })

  it.each<Partial<Coupon>>([{ usableAt: now }, { expiresAt: at(1) }, { usableByCustomerId: '6' }])(
    'is usable: %o',
    (terms) => {
      expect(choose({ coupons: [{ ...summer, ...terms }], couponId: '1' }).violations).toEqual([])
    },
  )
})
