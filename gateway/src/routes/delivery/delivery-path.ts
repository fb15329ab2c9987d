import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const customerOfItems = z.object({ customerId: flakeId.describe('Id of the customer who receives the items.') })

export const orderOfItems = z.object({ orderId: flakeId.describe('Id of the order.') })

export const deliveryItemPath = z.object({
  ...customerOfItems.shape,
  deliveryItemId: flakeId.describe('Id of the item.'),
})

export const attemptPath = z.object({ attemptId: flakeId.describe('Id of the command attempt.') })

export const globalCommandPath = z.object({ globalCommandId: flakeId.describe('Id of the global command.') })
