import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { grantDeliveryItems } from './grant-delivery-items.ts'
import { listCommandAttempts } from './list-command-attempts.ts'
import { listDeliveryItems } from './list-delivery-items.ts'
import { listItemStatuses } from './list-item-statuses.ts'
import { listOwnedProducts } from './list-owned-products.ts'
import { releaseCommand } from './release-command.ts'
import { resendCommands } from './resend-commands.ts'
import { revokeDeliveryItem } from './revoke-delivery-item.ts'
import { unqueueCommands } from './unqueue-commands.ts'

export function createDeliveryItemHandlers(ctx: AppContext): DeliveryItemsHandlers {
  return {
    listDeliveryItems: listDeliveryItems(ctx),
    listItemStatuses: listItemStatuses(ctx),
    grantDeliveryItems: grantDeliveryItems(ctx),
    revokeDeliveryItem: revokeDeliveryItem(ctx),
    listCommandAttempts: listCommandAttempts(ctx),
    unqueueCommands: unqueueCommands(ctx),
    releaseCommand: releaseCommand(ctx),
    resendCommands: resendCommands(ctx),
    listOwnedProducts: listOwnedProducts(ctx),
  }
}
