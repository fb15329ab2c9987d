import { couponDto, couponDtoSchema, couponExample } from '@storekeep/records/coupons/coupon-dto'
import { endpoint } from '../../http/endpoint.ts'
import { couponInput, newCoupon, newCouponExample } from './coupon-input.ts'

export const createCoupon = endpoint({
  operationId: 'createCoupon',
  tag: 'Coupons',
  summary: 'Create a coupon',
  description:
    'Redemption limits are exact under any concurrency: an open checkout session reserves a redemption until it is paid, ' +
    'canceled or expired.',
  method: 'post',
  path: '/v1/stores/{storeId}/coupons',
  auth: 'api-key',
  scope: 'coupons:write',
  body: newCoupon,
  bodyExample: newCouponExample,
  success: { status: 200, description: 'The created coupon.', schema: couponDtoSchema, example: couponExample },
  async handle({ coupons }, { body, call }) {
    const { coupon } = await coupons.createCoupon({ coupon: couponInput(body) }, call)
    return { body: couponDto(coupon) }
  },
})
