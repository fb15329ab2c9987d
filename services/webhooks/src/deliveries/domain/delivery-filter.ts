import { checkListFilter } from '@storekeep/common/values'

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Which deliveries are listed. An absent field does not restrict the list. */
export interface DeliveryFilter {
  status: DeliveryStatus | undefined
  eventType: string | undefined
}

/** A filter as requested; `invalid` is an unknown status. */
export interface DeliveryFilterInput extends Omit<DeliveryFilter, 'status'> {
  status: DeliveryStatus | 'invalid' | undefined
}

/** @throws ServiceFault `validation-failed` naming the invalid field */
export function checkDeliveryFilter({ status, eventType }: DeliveryFilterInput): DeliveryFilter {
  return { status: checkListFilter(deliveryStatuses, status), eventType }
}
