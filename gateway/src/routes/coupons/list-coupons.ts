import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { flakeId } from '../../schemas/fields.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { couponDto, couponDtoSchema, couponExample } from './coupon-dto.ts'
import { couponStatus, couponType, statusValues, typeValues } from './coupon-enums.ts'

export const listCoupons = endpoint({
  operationId: 'Coupons_ListCoupons',
  tag: 'Coupons',
  summary: 'List coupons',
  method: 'get',
  path: '/v1/stores/{storeId}/coupons',
  auth: 'api-key',
  scope: 'coupons:read',
  query: z.object({
    status: couponStatus.default('all').meta({ description: '`active`: enabled, started and not expired.' }),
    type: couponType.default('all').meta({ description: '`generated`: made by the system itself.' }),
    usable_by_customer_id: flakeId.optional().meta({ description: 'Only coupons that are for this customer.' }),
    ...pageQuery,
  }),
  success: {
    status: 200,
    description: 'One page of coupons.',
    schema: z.array(couponDtoSchema),
    example: [couponExample],
  },
  async handle({ coupons }, { query, call }) {
    const { status, type, usable_by_customer_id: customerId } = query
    const request = {
      page: pageRequest(query),
      status: statusValues[status],
      type: typeValues[type],
      ...(customerId !== undefined && { usableByCustomerId: customerId }),
    }
    const answer = await coupons.listCoupons(request, call)
    return pageReply(query, answer.coupons.map(couponDto), answer.page)
  },
})
