import { randomBytes } from 'node:crypto'
import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import type { Call } from '@storekeep/common/grpc'
import { createTestHome, spawnService, useFakeService } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { OperationsService } from '@storekeep/proto/common/v1/operations_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { PaymentSettlement, PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll } from 'vitest'
import { run } from './run.ts'

/** The admin CLI with the stores service and fakes of the other services. `storeIds` and `consumers` are what the fakes got. */
export function useAdmin() {
  /** The real stores service: its validation errors and its keys are what the operator sees. */
  let stores: Awaited<ReturnType<typeof startStores>>
  const storeIds: (string | undefined)[] = []
  const customers = useFakeService(CustomersService, {
    revokeStoreTokens: async (_request, { storeId }) => {
      storeIds.push(storeId)
      return { tokenEpoch: 7 }
    },
  })
  const orders = useFakeService(PaymentsService, {
    recordPayment: async ({ checkoutId }, { storeId = '' }: Call) => ({
      payment: {
        id: '9',
        storeId,
        checkoutId: requireFlakeId('checkout_id', checkoutId),
        customerId: '7',
        orderId: '8',
        status: PaymentStatus.SUCCEEDED,
        settlement: PaymentSettlement.COMPLETED,
        currency: 'eur',
        amount: 1998n,
      },
    }),
  })
  const checkout = useFakeService(CheckoutService, {
    cancelCheckoutSession: async () => {
      throw errors.conflict('The checkout session is completed.')
    },
  })
  const consumers: (string | undefined)[] = []
  const coupons = useFakeService(
    OperationsService,
    {
      replayDeadLetters: async ({ consumer }) => {
        consumers.push(consumer)
        return { count: 2, failed: 1 }
      },
    },
    'coupons',
  )

  beforeAll(async () => {
    stores = await startStores()
  })
  afterAll(() => stores?.stop())

  function admin(...args: string[]) {
    return run(args, () => ({
      stores: stores.address,
      customers: customers.address,
      coupons: coupons.address,
      checkout: checkout.address,
      orders: orders.address,
    }))
  }

  return { admin, stores: () => stores, storeIds, consumers }
}

async function startStores() {
  const home = await createTestHome('stores', { API_KEY_PEPPER: randomBytes(32).toString('base64url') })
  const entry = new URL('../../stores/src/main.ts', import.meta.url)
  const { address, client, transport, child, exited } = await spawnService(entry, StoresService, home.env)
  return {
    address,
    client,
    async stop() {
      transport.close()
      child.kill('SIGTERM')
      await exited
      await home.drop()
    },
  }
}
