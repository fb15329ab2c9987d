import type { DeliveryTerms } from './delivery-terms.ts'

/** A version of a product. Ids are decimal strings. */
export interface ProductVersion {
  storeId: string
  id: string
  productId: string
  name: string
  slug: string | null
  terms: DeliveryTerms
  /** Of the product; the highest one is the latest version. */
  number: string
  /** Whether the product was deleted. */
  deleted: boolean
}
