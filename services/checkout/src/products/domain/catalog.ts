import { errors, type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import { productLimits } from '@storekeep/proto/conventions/limits'
import type { Product } from './product.ts'

/** A product as shoppers may see it: without commands, metadata and rules that only the store applies. */
export type CatalogProduct = Omit<
  Product,
  | 'commands'
  | 'metadata'
  | 'customerStockLimit'
  | 'enabled'
  | 'enabledAt'
  | 'isAffiliateLinksDisabled'
  | 'isCouponsDisabled'
  | 'isHidden'
> & { id: string }

/** The text that the search of the storefront compares with, and the form of a text that is searched for. */
export function searchText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** @throws ServiceFault `validation-failed` */
export function checkCatalogQuery({ search, tag }: { search: string | undefined; tag: string | undefined }): void {
  const violations: Violation[] = [
    ...(search === undefined ? [] : textViolations('search', search, 1, productLimits.searchLength)),
    ...(tag === '' ? [violation('tag', 'length', 'must not be empty')] : []),
  ]
  if (violations.length > 0) throw errors.validationFailed(violations)
}
