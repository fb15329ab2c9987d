import { checkListFilter } from '@storekeep/common/values'
import { type RefundStatus, refundStatuses } from './refund.ts'

/** Which refunds are listed. An absent field does not restrict the list. */
export interface RefundFilter {
  status: RefundStatus | undefined
  orderId: string | undefined
}

/**
 * @param input `invalid` is an unknown status
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkRefundFilter(input: {
  status: RefundStatus | 'invalid' | undefined
  orderId: string | undefined
}): RefundFilter {
  return { ...input, status: checkListFilter(refundStatuses, input.status, { order_id: input.orderId }) }
}
