import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { DeliveryItem } from '@storekeep/proto/delivery/v1/delivery_item'
import { z } from 'zod'
import { customerDto, customerDtoSchema, customerExample } from '../customers/customer-dto.ts'
import { actorDto, actorDtoSchema } from '../schemas/actor.ts'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int32, stringMap } from '../schemas/fields.ts'
import { idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { commandAttemptDto, commandAttemptDtoSchema, commandAttemptExample } from './command-attempt-dto.ts'
import { itemState, itemStateValues, revokeReason, revokeReasonValues } from './delivery-enums.ts'

const productSchema = z
  .object({
    id: flakeId.nullable().describe('Id of the product; null for an inline product.'),
    name: z.string().describe('Name of the product.'),
    slug: z.string().nullable().describe('Name of the product in URLs.'),
    version_id: flakeId
      .nullable()
      .describe('The version of the product, which later changes do not affect; null for an inline product.'),
  })
  .meta({ id: 'DeliveryItemProductDto', description: 'The product as it was bought.' })

/** The fields that shoppers may see, too. */
export const deliveryItemFields = {
  order_id: flakeId.nullable().describe('The order that paid for the item; null without an order.'),
  subscription_id: flakeId.nullable().describe('The subscription that pays for the item.'),
  execute_on_gameserver_id: flakeId
    .nullable()
    .describe('The game server that the buyer or the staff chose; null for all servers of the product.'),
  quantity_index: int32(0).describe('Position of the unit in its line, starting at 0.'),
  product: productSchema.describe('The product that the item is a unit of.'),
  state: itemState.describe('What happened to the item.'),
  added_at: dateTime.describe('When the customer got the item.'),
  active_at: dateTime.nullable().describe('When the item became active.'),
  expirable: z.boolean().describe('Whether the item can expire.'),
  expires_at: dateTime.nullable().describe('When the item expires; null if it never does, or if it is not active yet.'),
  removed_at: dateTime.nullable().describe('When the item was used, revoked or renewed.'),
  gift: z.boolean().describe('Whether another customer paid for the item.'),
}

export const deliveryItemDtoSchema = z
  .object({
    ...idFields('item'),
    customer_id: flakeId.describe('The customer who receives the item.'),
    customer: customerDtoSchema
      .nullable()
      .describe(
        'The customer who receives the item; null in events and search results, and if the customer was removed.',
      ),
    order_customer_id: flakeId.nullable().describe('The customer who bought the item; null without an order.'),
    order_customer: customerDtoSchema
      .nullable()
      .describe(
        'The customer who bought the item; null in events and search results, without an order, and if the customer was removed.',
      ),
    checkout_id: flakeId.nullable().describe('The checkout session that was paid.'),
    checkout_line_id: flakeId.nullable().describe('Always null: the lines of checkout sessions have no ids.'),
    order_line_id: flakeId.nullable().describe('Always null: the lines of orders have no ids. See `order_line`.'),
    order_line: int32(1)
      .nullable()
      .describe('Position of the line in the order, starting at 1; null without an order.'),
    trial_id: flakeId.nullable().describe('Always null: there are no trials yet.'),
    ...deliveryItemFields,
    added_by: actorDtoSchema.nullable().describe('Who added the item; null if an order did.'),
    override_expires_at: dateTime
      .nullable()
      .describe('Expiry set by the staff, which replaces the expiry of the product.'),
    revoked_at: dateTime.nullable().describe('When the item was revoked.'),
    revoke_reason: revokeReason.nullable().describe('Why the item was revoked.'),
    revoked_by: actorDtoSchema.nullable().describe('Who revoked the item.'),
    command_attempts: z
      .array(commandAttemptDtoSchema)
      .describe('The commands of the item, oldest first. Empty in events and search results.'),
    skip_commands: z.boolean().describe('Whether no commands are queued for the item.'),
    custom_variables: stringMap.describe('Answers of the buyer, by identifier of the custom variable.'),
  })
  .meta({ id: 'DeliveryItemDto', description: 'One unit of a product that a customer owns or owned.' })

export type DeliveryItemDto = z.input<typeof deliveryItemDtoSchema>

/** @param customers the customers that the item names, as far as they are known, by id */
export function deliveryItemDto(
  item: DeliveryItem | undefined,
  customers: ReadonlyMap<string, Customer> = noCustomers,
): DeliveryItemDto {
  if (!item) throw new Error('A service returned no delivery item.')
  const reason = item.revokeReason === undefined ? undefined : nameOf(revokeReasonValues, item.revokeReason)
  const customer = customers.get(item.customerId)
  const orderCustomer = item.orderCustomerId === undefined ? undefined : customers.get(item.orderCustomerId)
  return {
    id: item.id,
    store_id: item.storeId,
    customer_id: item.customerId,
    customer: customer ? customerDto(customer) : null,
    order_customer_id: item.orderCustomerId ?? null,
    order_customer: orderCustomer ? customerDto(orderCustomer) : null,
    checkout_id: item.checkoutId ?? null,
    checkout_line_id: null,
    order_line_id: null,
    order_line: item.orderLine ?? null,
    trial_id: null,
    ...deliveryItemFieldsDto(item),
    added_by: item.addedBy ? actorDto(item.addedBy) : null,
    override_expires_at: printTime(item.overrideExpiresAt),
    revoked_at: printTime(item.revokedAt),
    revoke_reason: reason ?? null,
    revoked_by: item.revokedBy ? actorDto(item.revokedBy) : null,
    command_attempts: item.commandAttempts.map(commandAttemptDto),
    skip_commands: item.skipCommands,
    custom_variables: { ...item.customVariables },
  }
}

export function deliveryItemFieldsDto(item: DeliveryItem) {
  const { product, addedAt } = item
  if (!product || !addedAt) throw new Error('A service returned an incomplete delivery item.')
  return {
    order_id: item.orderId ?? null,
    subscription_id: item.subscriptionId ?? null,
    execute_on_gameserver_id: item.executeOnGameserverId ?? null,
    quantity_index: item.quantityIndex,
    product: {
      id: product.id ?? null,
      name: product.name,
      slug: product.slug ?? null,
      version_id: product.versionId ?? null,
    },
    state: nameOf(itemStateValues, item.state),
    added_at: printTime(addedAt),
    active_at: printTime(item.activeAt),
    expirable: item.expirable,
    expires_at: printTime(item.expiresAt),
    removed_at: printTime(item.removedAt),
    gift: item.gift,
  }
}

const noCustomers: ReadonlyMap<string, Customer> = new Map()

const fieldsExample = {
  order_id: '411486491630370860',
  subscription_id: null,
  execute_on_gameserver_id: null,
  quantity_index: 0,
  product: { id: '411486491630370832', name: 'VIP rank', slug: 'vip-rank', version_id: '411486491630370833' },
  state: 'active' as const,
  added_at: '2026-11-20T14:35:17.000Z',
  active_at: '2026-11-20T14:35:18.000Z',
  expirable: true,
  expires_at: '2026-12-20T14:35:18.000Z',
  removed_at: null,
  gift: false,
}

export const deliveryItemExample: DeliveryItemDto = {
  id: '411486491630370940',
  store_id: '411486491596816384',
  customer_id: customerExample.id,
  customer: customerExample,
  order_customer_id: customerExample.id,
  order_customer: customerExample,
  checkout_id: '411486491630370840',
  checkout_line_id: null,
  order_line_id: null,
  order_line: 1,
  trial_id: null,
  ...fieldsExample,
  added_by: null,
  override_expires_at: null,
  revoked_at: null,
  revoke_reason: null,
  revoked_by: null,
  command_attempts: [commandAttemptExample],
  skip_commands: false,
  custom_variables: {},
}

/** An item in an event. */
export const deliveryItemEventExample: DeliveryItemDto = {
  ...deliveryItemExample,
  customer: null,
  order_customer: null,
  command_attempts: [],
}
