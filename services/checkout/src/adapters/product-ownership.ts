import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import type { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import pMap from 'p-map'
import type { OwnedProducts, OwnershipQuery } from '../sessions/domain/ownership.ts'
import { lookupsPerOrder } from './customer-directory.ts'

/** Which products the customers of the caller's store own. */
export function createProductOwnership(
  deliveryItems: Pick<Client<typeof DeliveryItemsService>, 'listOwnedProducts'>,
): ProductOwnership {
  return {
    async find(queries, call) {
      const requests = queries.flatMap(({ customerId, productIds }) => {
        const ids = [...productIds]
        const count = Math.ceil(ids.length / idsPerCall)
        return Array.from({ length: count }, (_, index) => ({
          customerId,
          productIds: ids.slice(index * idsPerCall, (index + 1) * idsPerCall),
        }))
      })
      const owned = new Map(queries.map(({ customerId }) => [customerId, new Set<string>()]))
      await pMap(
        requests,
        async (request) => {
          const { productIds } = await deliveryItems.listOwnedProducts(request, onBehalfOf(call))
          for (const id of productIds) owned.get(request.customerId)?.add(id)
        },
        { concurrency: lookupsPerOrder },
      )
      return owned
    },
  }
}

export interface ProductOwnership {
  /**
   * The products that each customer owns, of those in the queries. Makes no call without queries.
   * @param queries one per customer
   * @throws ServiceFault `service-unavailable`
   */
  find(queries: readonly OwnershipQuery[], call: Call): Promise<OwnedProducts>
}

/** See ListOwnedProductsRequest. */
const idsPerCall = 200
