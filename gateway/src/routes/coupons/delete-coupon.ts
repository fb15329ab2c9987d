import { endpoint } from '../../http/endpoint.ts'
import { couponPath } from './coupon-path.ts'

export const deleteCoupon = endpoint({
  operationId: 'deleteCoupon',
  tag: 'Coupons',
  summary: 'Delete a coupon',
  description: 'Deletes the coupon. Its code can be used again; open checkout sessions keep their discount.',
  method: 'delete',
  path: '/v1/stores/{storeId}/coupons/{couponId}',
  auth: 'api-key',
  scope: 'coupons:write',
  params: couponPath,
  success: { status: 204, description: 'The coupon was deleted.' },
  async handle({ coupons }, { params, call }) {
    await coupons.deleteCoupon({ couponId: params.couponId }, call)
    return {}
  },
})
