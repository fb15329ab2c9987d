import { errors, violation } from '@storekeep/common/errors'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { CouponDuration } from '@storekeep/proto/coupons/v1/coupon'
import {
  RedemptionRejection,
  RedemptionsService,
  type ReserveCouponRequest,
} from '@storekeep/proto/coupons/v1/redemptions_service'
import { type Outage, simulateOutage } from './fake-others.ts'

/**
 * A coupons service over real gRPC, for all tests of a file. Its coupons deduct 10 % of each line; its ledger behaves as
 * the real one.
 */
export function useFakeCoupons() {
  const coupons = new Map<string, FakeCoupon>()
  const links = new Map<string, { id: string; discountAmount: bigint }>()
  const ledger = new Map<string, { couponId: string | undefined; state: ReservationState }>()
  const fake = {
    outage: 'none' as Outage,
    /** Reserves, but loses the response. */
    losesResponses: false,
    /** Fails to release. */
    failsToRelease: false,
    /** The requests of all reservations. */
    requests: [] as ReserveCouponRequest[],
    /** The checkout of each attempt to release. */
    releases: [] as string[],
    beforeReserve: async (): Promise<void> => {},
    afterReserve: async (): Promise<void> => {},
    beforeConfirm: async (): Promise<void> => {},
    /** @returns the id of a new coupon */
    add(terms: Partial<FakeCoupon> = {}): string {
      const id = randomId()
      coupons.set(id, { limit: Number.POSITIVE_INFINITY, rejection: undefined, intervals: undefined, ...terms })
      return id
    },
    /** The coupon cannot be used any longer. */
    reject(id: string, rejection: string): void {
      const coupon = coupons.get(id)
      if (coupon) coupon.rejection = rejection
    },
    codeOf: (id: string) => `C${id}`,
    /** @returns the code of a new affiliate link */
    addLink(discountAmount = 0n): string {
      const id = randomId()
      links.set(`L${id}`, { id, discountAmount })
      return `L${id}`
    },
    linkId: (code: string) => links.get(code)?.id ?? '',
    /** Deletes the reservation of a checkout. */
    forget: (checkoutId: string) => void ledger.delete(checkoutId),
    /** The number of reservations of a coupon by state. */
    reservationsOf(couponId: string): Record<ReservationState, number> {
      const states = [...ledger.values()].filter((one) => one.couponId === couponId).map(({ state }) => state)
      const count = (wanted: ReservationState) => states.filter((state) => state === wanted).length
      return { reserved: count('reserved'), confirmed: count('confirmed'), released: count('released') }
    },
  }

  /** Resolves the codes. @throws ServiceFault `validation-failed` for unknown and rejected codes */
  function applyCodes({ couponId, promoCodes, affiliateCode, affiliateLinkId }: ReserveCouponRequest) {
    const named = [
      ...(couponId === undefined ? [] : [{ path: 'coupon_id', couponId }]),
      ...promoCodes.map((code, index) => ({ path: `promo_codes.${index}`, couponId: code.slice(1), link: code })),
    ].map((code) => ({ ...code, coupon: coupons.get(code.couponId) }))
    const violations = named.flatMap(({ path, coupon, ...code }) => {
      if (!coupon && !('link' in code && links.has(code.link))) return [violation(path, 'reference', 'is unknown')]
      return coupon?.rejection === undefined ? [] : [violation(path, 'reference', 'is rejected', coupon.rejection)]
    })
    if (violations.length > 0) throw errors.validationFailed(violations)
    const code = [...promoCodes, affiliateCode ?? ''].find((one) => links.has(one)) ?? ''
    const applied = [...links.values()].find(({ id }) => id === affiliateLinkId)
    return { coupon: named.find(({ coupon }) => coupon), link: applied ?? links.get(code) }
  }

  const durationOf = (couponId: string) => {
    const { intervals, duration = CouponDuration.ONCE } = coupons.get(couponId) ?? {}
    if (intervals === undefined) return { duration }
    return { duration: CouponDuration.REPEATING, durationInIntervals: intervals }
  }

  const service = useFakeService(RedemptionsService, {
    async reserveCoupon(request, call) {
      await simulateOutage(fake.outage, call)
      if (request.validateOnly) {
        applyCodes(request)
        return {}
      }
      await fake.beforeReserve()
      fake.requests.push(request)
      const { checkoutId, lines } = request
      if (ledger.get(checkoutId)?.state === 'released') throw errors.conflict('released')
      const { coupon, link } = applyCodes(request)
      if (coupon) {
        const { couponId, path } = coupon
        const counted = [...ledger].filter(([, one]) => one.couponId === couponId && one.state !== 'released')
        const used = counted.filter(([id]) => id !== request.replacedCheckoutId).length
        if (used >= (coupons.get(couponId)?.limit ?? 0)) {
          throw errors.validationFailed([violation(path, 'reference', 'is used up', 'coupon-exhausted')])
        }
        ledger.set(checkoutId, { couponId, state: 'reserved' })
      }
      await fake.afterReserve()
      if (fake.losesResponses) throw errors.unavailable()
      const lineDiscounts = lines.map(({ amount }) => amount / 10n)
      return {
        ...(coupon && {
          coupon: {
            couponId: coupon.couponId,
            couponVersionId: '7',
            code: fake.codeOf(coupon.couponId),
            lineDiscounts,
            ...durationOf(coupon.couponId),
          },
        }),
        ...(link && { affiliateLink: { affiliateLinkId: link.id, discountAmount: link.discountAmount } }),
      }
    },
    async confirmRedemption({ checkoutId }, call) {
      await simulateOutage(fake.outage, call)
      await fake.beforeConfirm()
      const known = ledger.get(checkoutId)
      if (known?.state !== 'reserved' && known?.state !== 'confirmed')
        return { rejection: RedemptionRejection.RELEASED }
      known.state = 'confirmed'
      return { redemption: {} }
    },
    async releaseRedemption({ checkoutId }, call) {
      fake.releases.push(checkoutId)
      await simulateOutage(fake.outage, call)
      if (fake.failsToRelease) throw errors.unavailable()
      ledger.set(checkoutId, { couponId: ledger.get(checkoutId)?.couponId, state: 'released' })
      return {}
    },
  })
  return Object.assign(fake, { address: () => service.address })
}

type ReservationState = 'reserved' | 'confirmed' | 'released'

interface FakeCoupon {
  /** How often it can be redeemed. */
  limit: number
  /** The item code of its rejection. */
  rejection: string | undefined
  /** For how many intervals it discounts a subscription. */
  intervals: number | undefined
  /** Without `intervals`. Default: once. */
  duration?: CouponDuration
}
