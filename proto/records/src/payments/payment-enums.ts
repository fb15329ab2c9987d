import { PaymentProvider, PaymentSettlement, PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { z } from 'zod'
import { namesOf } from '../schemas/enums.ts'

/** The providers that a store can enable. */
export const offeredProviderValues = {
  stripe: PaymentProvider.STRIPE,
  manual: PaymentProvider.MANUAL,
  test: PaymentProvider.TEST,
} as const

export const offeredProvider = z.enum(namesOf(offeredProviderValues)).meta({
  id: 'OfferedPaymentProviderDto',
  description: '`manual`: bank transfer or cash. `test`: simulated payments, only where the installation allows them.',
})

export const paymentProviderValues = { ...offeredProviderValues, free: PaymentProvider.FREE } as const

export const paymentProvider = z
  .enum(namesOf(paymentProviderValues))
  .meta({ id: 'PaymentProviderDto', description: 'Provider that collects the money. `free`: nothing had to be paid.' })

export const paymentStatusValues = {
  pending: PaymentStatus.PENDING,
  processing: PaymentStatus.PROCESSING,
  succeeded: PaymentStatus.SUCCEEDED,
  failed: PaymentStatus.FAILED,
  canceled: PaymentStatus.CANCELED,
} as const

export const paymentStatus = z.enum(namesOf(paymentStatusValues)).meta({
  id: 'PaymentStatusDto',
  description: '`processing` while the money is on its way, such as with a bank transfer.',
})

export const settlementValues = {
  none: PaymentSettlement.NONE,
  pending: PaymentSettlement.PENDING,
  completed: PaymentSettlement.COMPLETED,
  refunding: PaymentSettlement.REFUNDING,
  refunded: PaymentSettlement.REFUNDED,
} as const

export const settlement = z.enum(namesOf(settlementValues)).meta({
  id: 'PaymentSettlementDto',
  description:
    'What happened to the money of a payment that succeeded: `completed` if there is an order; `refunded` if the checkout ' +
    'session had expired, been canceled or been paid by another payment.',
})
