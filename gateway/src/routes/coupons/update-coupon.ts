import { couponDto, couponDtoSchema, couponExample } from '@storekeep/records/coupons/coupon-dto'
import { updateExample } from '@storekeep/records/schemas/record'
import { endpoint } from '../../http/endpoint.ts'
import { couponInput, couponMask, couponPatch } from './coupon-input.ts'
import { couponPath } from './coupon-path.ts'

export const updateCoupon = endpoint({
  operationId: 'updateCoupon',
  tag: 'Coupons',
  summary: 'Update a coupon',
  description:
    'Omitted fields are left unchanged; null clears a nullable field and is rejected for others. The resulting coupon must ' +
    'be valid: when you change `duration` from `repeating`, also clear `duration_in_months` or `duration_in_intervals`.',
  method: 'patch',
  path: '/v1/stores/{storeId}/coupons/{couponId}',
  auth: 'api-key',
  scope: 'coupons:write',
  params: couponPath,
  body: couponPatch,
  bodyExample: { enabled: false, expires_at: null },
  success: {
    status: 200,
    description: 'The updated coupon.',
    schema: couponDtoSchema,
    example: {
      ...couponExample,
      version_id: '411486491630370824',
      enabled: false,
      expires_at: null,
      ...updateExample,
    },
  },
  async handle({ coupons }, { params, body, call }) {
    const update = { couponId: params.couponId, coupon: couponInput(body), updateMask: { paths: couponMask(body) } }
    const { coupon } = await coupons.updateCoupon(update, call)
    return { body: couponDto(coupon) }
  },
})
