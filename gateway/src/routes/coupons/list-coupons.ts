import { couponDto, couponDtoSchema, couponExample } from '@storekeep/records/coupons/coupon-dto'
import { couponStatus, couponType, statusValues, typeValues } from '@storekeep/records/coupons/coupon-enums'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'

export const listCoupons = endpoint({
  operationId: 'listCoupons',
  tag: 'Coupons',
  summary: 'List coupons',
  description: 'Returns coupons page by page. All given filters must match.',
  method: 'get',
  path: '/v1/stores/{storeId}/coupons',
  auth: 'api-key',
  scope: 'coupons:read',
  query: z.object({
    status: couponStatus.default('all').meta({ description: 'Returns only coupons in this state.' }),
    type: couponType.default('all').meta({ description: 'Returns only coupons of this origin.' }),
    usable_by_customer_id: flakeId
      .optional()
      .meta({ description: 'Returns only coupons restricted to this customer.' }),
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
    const response = await coupons.listCoupons(request, call)
    return pageReply(query, response.coupons.map(couponDto), response.page)
  },
})
