import { endpoint } from '../../http/endpoint.ts'
import { couponDto, couponDtoSchema, couponExample } from './coupon-dto.ts'
import { couponInput, couponMask, couponPatch } from './coupon-input.ts'
import { couponPath } from './coupon-path.ts'

export const updateCoupon = endpoint({
  operationId: 'Coupons_UpdateCoupon',
  tag: 'Coupons',
  summary: 'Change a coupon',
  description:
    'What is absent stays as it is. Null clears what a coupon may do without, and is refused for the rest. The coupon ' +
    'as a whole has to keep the rules: one that is no longer `repeating` also needs its `duration_in_…` cleared.',
  method: 'patch',
  path: '/v1/stores/{storeId}/coupons/{couponId}',
  auth: 'api-key',
  scope: 'coupons:write',
  params: couponPath,
  body: couponPatch,
  bodyExample: { enabled: false, expires_at: null },
  success: {
    status: 200,
    description: 'The coupon as it is now.',
    schema: couponDtoSchema,
    example: {
      ...couponExample,
      version_id: '411486491630370824',
      enabled: false,
      expires_at: null,
      updated_by: couponExample.created_by,
      updated_at: '2026-11-20T15:02:41.120Z',
    },
  },
  async handle({ coupons }, { params, body, call }) {
    const update = { couponId: params.couponId, coupon: couponInput(body), updateMask: { paths: couponMask(body) } }
    const { coupon } = await coupons.updateCoupon(update, call)
    return { body: couponDto(coupon) }
  },
})
