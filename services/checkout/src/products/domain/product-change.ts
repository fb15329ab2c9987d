import { isDeepStrictEqual } from 'node:util'
import { maskedFields, pick } from '@storekeep/common/values'
import { type Product, productFields, type StockLimit } from './product.ts'
import { checkProduct, type ProductInput, toProduct } from './product-draft.ts'
import type { StockLimitInput } from './stock-limit.ts'

/** The fields that a PATCH changes; an unset field is cleared. */
export type ProductChange = Partial<ProductInput>

/**
 * The requested change. Fields outside the mask are ignored; the others are validated with the whole product
 * (`applyChange`).
 * @throws ServiceFault `bad-request` if the mask names an unknown field
 */
export function readChange(input: ProductInput, mask: readonly string[]): ProductChange {
  return pick(input, maskedFields(productFields, mask))
}

/**
 * The product after the change; undefined if nothing changes.
 * @throws ServiceFault `validation-failed` naming every invalid field of the changed product
 */
export function applyChange(product: Product, change: ProductChange): Product | undefined {
  const before = toInput(product)
  const after = checkProduct({ ...before, ...change })
  return isDeepStrictEqual(after, toProduct(before)) ? undefined : after
}

function limitInput(limit: StockLimit | null): StockLimitInput | undefined {
  if (!limit) return undefined
  const { quantity, timeValue, timeScale, ...rest } = limit
  return {
    ...rest,
    quantity: quantity ?? undefined,
    timeValue: timeValue ?? undefined,
    timeScale: timeScale ?? undefined,
  }
}

/** The input that results in this product. */
function toInput(product: Product): ProductInput {
  return {
    ...product,
    slug: product.slug ?? undefined,
    description: product.description ?? undefined,
    label: product.label ?? undefined,
    subscriptionIntervalValue: product.subscriptionIntervalValue ?? undefined,
    subscriptionIntervalScale: product.subscriptionIntervalScale ?? undefined,
    enabledAt: product.enabledAt ?? undefined,
    enabledUntil: product.enabledUntil ?? undefined,
    removeAfterTimeValue: product.removeAfterTimeValue ?? undefined,
    removeAfterTimeScale: product.removeAfterTimeScale ?? undefined,
    storeStockLimit: limitInput(product.storeStockLimit),
    customerStockLimit: limitInput(product.customerStockLimit),
    imageUrl: product.imageUrl ?? undefined,
  }
}
