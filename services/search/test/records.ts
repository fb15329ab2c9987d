import { create, type DescMessage, type MessageInitShape, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { randomId } from '@storekeep/common/testing'
import { BanSchema } from '@storekeep/proto/bans/v1/ban'
import { BanCreatedSchema } from '@storekeep/proto/bans/v1/events'
import { CheckoutSessionSchema } from '@storekeep/proto/checkout/v1/checkout_session'
import { CheckoutSessionCreatedSchema, ProductCreatedSchema } from '@storekeep/proto/checkout/v1/events'
import { ProductSchema } from '@storekeep/proto/checkout/v1/product'
import { AffiliateLinkSchema } from '@storekeep/proto/coupons/v1/affiliate_link'
import { CouponSchema } from '@storekeep/proto/coupons/v1/coupon'
import { AffiliateLinkCreatedSchema, CouponCreatedSchema } from '@storekeep/proto/coupons/v1/events'
import { CustomVariableSchema } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { CustomVariableCreatedSchema } from '@storekeep/proto/custom_variables/v1/events'
import { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import { CustomerCreatedSchema } from '@storekeep/proto/customers/v1/events'
import { DeliveryItemSchema } from '@storekeep/proto/delivery/v1/delivery_item'
import { DeliveryItemAddedSchema } from '@storekeep/proto/delivery/v1/events'
import { OrderCreatedSchema, SubscriptionCreatedSchema } from '@storekeep/proto/orders/v1/events'
import { OrderSchema } from '@storekeep/proto/orders/v1/order'
import { SubscriptionSchema } from '@storekeep/proto/orders/v1/subscription'
import { documentWrite } from '../src/documents/db/document-repository.ts'
import { documentOf } from '../src/documents/mappers/documents.ts'
import { recordTypeOf } from '../src/documents/mappers/record-types/index.ts'
import type { FakeOwners } from './fake-owners.ts'
import { publish, type TestSearch } from './harness.ts'

/** Message, creation event and event field of each record type. */
const types = {
  customer: { schema: CustomerSchema, created: CustomerCreatedSchema, eventField: 'customer' },
  ban: { schema: BanSchema, created: BanCreatedSchema, eventField: 'ban' },
  coupon: { schema: CouponSchema, created: CouponCreatedSchema, eventField: 'coupon' },
  affiliate_link: { schema: AffiliateLinkSchema, created: AffiliateLinkCreatedSchema, eventField: 'affiliateLink' },
  custom_variable: { schema: CustomVariableSchema, created: CustomVariableCreatedSchema, eventField: 'customVariable' },
  checkout_session: { schema: CheckoutSessionSchema, created: CheckoutSessionCreatedSchema, eventField: 'session' },
  product: { schema: ProductSchema, created: ProductCreatedSchema, eventField: 'product' },
  order: { schema: OrderSchema, created: OrderCreatedSchema, eventField: 'order' },
  delivery_item: { schema: DeliveryItemSchema, created: DeliveryItemAddedSchema, eventField: 'item' },
  subscription: { schema: SubscriptionSchema, created: SubscriptionCreatedSchema, eventField: 'subscription' },
} as const satisfies Record<string, { schema: DescMessage; created: DescMessage; eventField: string }>

type Types = typeof types
export type TypeName = keyof Types
export type Fields<Name extends TypeName> = MessageInitShape<Types[Name]['schema']>
export type RecordOf<Name extends TypeName> = MessageShape<Types[Name]['schema']>

/** A record that its owner has and did not publish. */
export function own<Name extends TypeName>(
  owners: FakeOwners,
  type: Name,
  storeId: string,
  fields: Fields<Name>,
): RecordOf<Name> {
  const { schema } = types[type]
  const record = create(
    schema as DescMessage,
    {
      id: randomId(),
      version: 1n,
      createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
      ...fields,
      storeId,
    } as never,
  ) as RecordOf<Name>
  owners.put(type, schema, record as never)
  return record
}

/** A record that its owner has and has published. */
export async function publishNew<Name extends TypeName>(
  search: TestSearch,
  type: Name,
  storeId: string,
  fields: Fields<Name>,
): Promise<RecordOf<Name>> {
  const record = own(search.owners, type, storeId, fields)
  const { created, eventField } = types[type]
  await publish(search, type, created as DescMessage, { [eventField]: record } as never)
  return record
}

/** Publishes a state of a record, regardless of what its owner has. */
export async function publishAgain<Name extends TypeName>(
  search: TestSearch,
  type: Name,
  record: RecordOf<Name>,
  event: DescMessage = types[type].created,
): Promise<void> {
  await publish(search, type, event, { [types[type].eventField]: record } as never)
}

/** Writes a record into the index without an event. */
export async function index<Name extends TypeName>(
  { database }: Pick<TestSearch, 'database'>,
  generation: string,
  type: Name,
  record: RecordOf<Name>,
): Promise<void> {
  const { id, storeId, version } = record as { id: string; storeId: string; version: bigint }
  const bytes = toBinary(types[type].schema as DescMessage, record)
  const document = documentOf(recordTypeOf(type), { id, storeId, version: version.toString(), record: bytes })
  await database.query(documentWrite(generation, [document]))
}
