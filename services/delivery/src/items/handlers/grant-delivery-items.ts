import { timestampDate } from '@bufbuild/protobuf/wkt'
import { requireStore } from '@storekeep/common/grpc'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { ItemGrant as ProtoGrant } from '@storekeep/proto/delivery/v1/delivery_items_service'
import { selectAttemptsOfItems } from '../../attempts/db/attempt-repository.ts'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { findItems } from '../db/item-repository.ts'
import { checkGrants, type ItemGrant } from '../domain/item-grants.ts'
import { itemToProto } from '../mappers.ts'
import { grantItems } from '../steps/grant-items.ts'

export function grantDeliveryItems(ctx: AppContext): DeliveryItemsHandlers['grantDeliveryItems'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const stored = await findStoredResponse(ctx, call, request)
    if (stored) return stored
    const grants = request.grants.map((grant, index) => grantFromProto(grant, request.isSingle ? '' : `${index}.`))
    checkGrants(grants, ctx.clock.now())
    return write(ctx, call, request, async (tx) => {
      const added = await grantItems(ctx, tx, storeId, grants, call)
      const ids = added.map(({ id }) => id)
      const [items, attempts] = await Promise.all([
        findItems(tx, storeId, ids),
        selectAttemptsOfItems(tx, storeId, ids),
      ])
      const attemptsOf = Map.groupBy(attempts, ({ itemId }) => itemId)
      return {
        items: added.map((item) => itemToProto(items.get(item.id) ?? item, attemptsOf.get(item.id))),
      }
    })
  }
}

function grantFromProto(grant: ProtoGrant, path: string): ItemGrant {
  return {
    path,
    customerId: grant.customerId,
    productId: grant.productId,
    productVersionId: grant.productVersionId,
    gameServerId: grant.executeOnGameserverId,
    quantity: grant.quantity,
    overrideExpiresAt: grant.overrideExpiresAt && timestampDate(grant.overrideExpiresAt),
    skipCommands: grant.skipCommands,
    customVariables: grant.customVariables,
  }
}
