import { couponDto, couponDtoSchema, couponExample } from '@storekeep/records/coupons/coupon-dto'
import { endpoint } from '../../http/endpoint.ts'
import { couponPath } from './coupon-path.ts'

export const getCoupon = endpoint({
  operationId: 'getCoupon',
  tag: 'Coupons',
  summary: 'Get a coupon',
  description: 'Returns one coupon by its id.',
  method: 'get',
  path: '/v1/stores/{storeId}/coupons/{couponId}',
  auth: 'api-key',
  scope: 'coupons:read',
  params: couponPath,
  success: { status: 200, description: 'The coupon.', schema: couponDtoSchema, example: couponExample },
  async handle({ coupons }, { params, call }) {
    const { coupon } = await coupons.getCoupon({ couponId: params.couponId }, call)
    return { body: couponDto(coupon) }
  },
})
