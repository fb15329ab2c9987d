import { onEvent } from '@storekeep/common/events'
import { DeliveryItemRevokedSchema, DeliveryItemUsedSchema } from '@storekeep/proto/delivery/v1/events'
import { returnUnit } from '../db/stock-repository.ts'

/**
 * Returns the unit of an item that has expired or was revoked, for stock limits that do not count such units. An item can
 * be revoked after it has expired; its unit is returned once.
 */
export const onItemRemoved = onEvent(
  [DeliveryItemRevokedSchema, DeliveryItemUsedSchema],
  async (tx, { storeId, message: { item } }) => {
    const { checkoutId, orderLine, product, quantityIndex } = item ?? {}
    if (storeId === undefined || checkoutId === undefined || product?.id === undefined) return
    await returnUnit(tx, {
      storeId,
      checkoutId,
      productId: product.id,
      position: orderLine ?? 0,
      unit: quantityIndex ?? 0,
    })
  },
)
