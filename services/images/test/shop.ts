import type { MessageInitShape } from '@bufbuild/protobuf'
import { randomId } from '@storekeep/common/testing'
import {
  CheckoutSessionCreatedSchema,
  ProductCreatedSchema,
  ProductDeletedSchema,
  ProductUpdatedSchema,
  TagCreatedSchema,
  TagDeletedSchema,
} from '@storekeep/proto/checkout/v1/events'
import type { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import { CustomerCreatedSchema, CustomerDeletedSchema } from '@storekeep/proto/customers/v1/events'
import { StoreUpdatedSchema } from '@storekeep/proto/stores/v1/events'
import type { StoreSchema } from '@storekeep/proto/stores/v1/store'
import { publish, type TestImages } from './harness.ts'

/** A store whose other services publish events. Each function waits until its event was applied. */
export function openShop(images: TestImages) {
  const storeId = randomId()
  const versions = new Map<string, bigint>()
  const nextVersion = (id: string) => {
    const version = (versions.get(id) ?? 0n) + 1n
    versions.set(id, version)
    return version
  }
  const record = (subject: string, id: string) => ({ subject, storeId, id, version: nextVersion(id) })
  return {
    storeId,
    /** Creates a product, or changes its image. @returns the id */
    async product(imageUrl: string | undefined, id = randomId()): Promise<string> {
      const isNew = !versions.has(id)
      const message = { product: { id, storeId, terms: { name: 'Sword', ...(imageUrl && { imageUrl }) } } }
      const at = record(`checkout.product.${isNew ? 'created' : 'updated'}`, id)
      await publish(images, at, isNew ? ProductCreatedSchema : ProductUpdatedSchema, message)
      return id
    },
    async deleteProduct(id: string): Promise<void> {
      await publish(images, record('checkout.product.deleted', id), ProductDeletedSchema, { product: { id, storeId } })
    },
    async tag(imageUrl: string): Promise<string> {
      const id = randomId()
      await publish(images, record('checkout.tag.created', id), TagCreatedSchema, { tag: { id, storeId, imageUrl } })
      return id
    },
    async deleteTag(id: string): Promise<void> {
      await publish(images, record('checkout.tag.deleted', id), TagDeletedSchema, { tag: { id, storeId } })
    },
    async session(...imageUrls: string[]): Promise<void> {
      const id = randomId()
      const session = { id, storeId, lines: imageUrls.map((imageUrl) => ({ name: 'Sword', imageUrl })) }
      await publish(images, record('checkout.checkout_session.created', id), CheckoutSessionCreatedSchema, { session })
    },
    async updateStore(fields: MessageInitShape<typeof StoreSchema>): Promise<void> {
      const store = { id: storeId, name: 'Shop', ...fields }
      await publish(images, record('stores.store.updated', storeId), StoreUpdatedSchema, { store })
    },
    async customer(fields: MessageInitShape<typeof CustomerSchema>): Promise<string> {
      const id = randomId()
      const customer = { id, storeId, ...fields }
      await publish(images, record('customers.customer.created', id), CustomerCreatedSchema, { customer })
      return id
    },
    async deleteCustomer(id: string): Promise<void> {
      const customer = { id, storeId }
      await publish(images, record('customers.customer.deleted', id), CustomerDeletedSchema, { customer })
    },
  }
}
