import { errors } from '@storekeep/common/errors'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { type AffiliateLinkSchema, AmountType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { CouponDiscountType, type CouponSchema } from '@storekeep/proto/coupons/v1/coupon'
import { CouponsService, RedemptionRefusal } from '@storekeep/proto/coupons/v1/coupons_service'
import { answerInMood, type Init, type Mood } from './fake-others.ts'

/** A coupons service with a ledger that keeps the promises of the real one, over real gRPC, for all tests of a file. */
export function useFakeCoupons() {
  const coupons = new Map<string, CouponInit & { id: string }>()
  const links = new Map<string, LinkInit>()
  const ledger = new Map<string, { couponId: string | undefined; state: SlotState }>()
  const fake = {
    mood: 'well' as Mood,
    losesAnswers: false,
    /** Fails to take slots back. */
    keepsSlots: false,
    /** With which a coupon is refused that has no slot left. */
    refusal: RedemptionRefusal.EXHAUSTED as RedemptionRefusal,
    /** The checkouts whose slots were asked to be taken back, as often as they were. */
    takenBack: [] as string[],
    /** Run while a slot is being taken or made final. */
    beforeReserve: async (): Promise<void> => {},
    afterReserve: async (): Promise<void> => {},
    beforeConfirm: async (): Promise<void> => {},
    /** @returns the id of a new coupon of 10 % on everything */
    add(members: CouponInit = {}): string {
      const id = randomId()
      coupons.set(id, { ...tenPercent, id, versionId: randomId(), code: `C${id}`, ...members })
      return id
    },
    /** Changes a coupon, which then has another version. */
    change(id: string, members: CouponInit): void {
      coupons.set(id, { ...coupons.get(id), id, versionId: randomId(), ...members })
    },
    /** Takes the slot of a checkout away. */
    forget: (checkoutId: string) => void ledger.delete(checkoutId),
    codeOf: (id: string) => coupons.get(id)?.code ?? '',
    /** @returns the code of a new affiliate link without a discount */
    addLink(members: LinkInit = {}): string {
      const id = randomId()
      links.set(`L${id}`, { enabled: true, discountType: AmountType.NONE, id, code: `L${id}`, ...members })
      return `L${id}`
    },
    linkId: (code: string) => links.get(code)?.id ?? '',
    /** The slots of a coupon, by what became of them. */
    slotsOf(couponId: string): Record<SlotState, number> {
      const states = [...ledger.values()].filter((one) => one.couponId === couponId).map(({ state }) => state)
      const count = (wanted: SlotState) => states.filter((state) => state === wanted).length
      return { reserved: count('reserved'), confirmed: count('confirmed'), released: count('released') }
    },
  }
  const service = useFakeService(CouponsService, {
    async resolveCodes({ codes, couponId }, call) {
      await answerInMood(fake.mood, call)
      const coupon = coupons.get(couponId ?? '')
      return {
        codes: codes.map((code) => {
          const ofCode = [...coupons.values()].find((one) => one.code === code)
          const affiliateLink = links.get(code)
          return { ...(ofCode && { coupon: { ...ofCode } }), ...(affiliateLink && { affiliateLink }) }
        }),
        ...(coupon && { coupon: { ...coupon } }),
      }
    },
    async reserveRedemption({ couponId, couponVersionId, checkoutId }, call) {
      await answerInMood(fake.mood, call)
      await fake.beforeReserve()
      const known = ledger.get(checkoutId)
      if (known?.state === 'released') return { refusal: RedemptionRefusal.RELEASED }
      const coupon = coupons.get(couponId)
      if (coupon?.versionId !== couponVersionId) return { refusal: RedemptionRefusal.CHANGED }
      const used = [...ledger.values()].filter((one) => one.couponId === couponId && one.state !== 'released').length
      if (coupon?.redeemLimitStoreEnabled && used >= (coupon.redeemLimitStoreAmount ?? 0n)) {
        return { refusal: fake.refusal }
      }
      ledger.set(checkoutId, { couponId, state: 'reserved' })
      await fake.afterReserve()
      // The slot is taken, and nobody hears of it.
      if (fake.losesAnswers) throw errors.unavailable()
      return { redemption: { couponId } }
    },
    async confirmRedemption({ checkoutId }, call) {
      await answerInMood(fake.mood, call)
      await fake.beforeConfirm()
      const known = ledger.get(checkoutId)
      if (known?.state !== 'reserved' && known?.state !== 'confirmed') return { refusal: RedemptionRefusal.RELEASED }
      known.state = 'confirmed'
      return { redemption: {} }
    },
    async releaseRedemption({ checkoutId }, call) {
      fake.takenBack.push(checkoutId)
      await answerInMood(fake.mood, call)
      if (fake.keepsSlots) throw errors.unavailable()
      ledger.set(checkoutId, { couponId: ledger.get(checkoutId)?.couponId, state: 'released' })
      return {}
    },
  })
  return Object.assign(fake, { address: () => service.address })
}

const tenPercent: CouponInit = {
  enabled: true,
  discountType: CouponDiscountType.PERCENT,
  discountAmount: 100n,
  usableOnOneTimePurchase: true,
  usableOnSubscription: true,
}

type SlotState = 'reserved' | 'confirmed' | 'released'
type CouponInit = Init<typeof CouponSchema>
type LinkInit = Init<typeof AffiliateLinkSchema>
