import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { actorFromText, enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type ProductSchema,
  type ProductTermsSchema,
  IntervalScale as ProtoScale,
  type ProductTerms as ProtoTerms,
} from '@storekeep/proto/checkout/v1/product'
import type { ProductRow } from './db/product-repository.ts'
import type { IntervalScale, ProductTerms } from './domain/product.ts'
import type { TermsInput } from './domain/product-terms.ts'

export function productToProto(row: ProductRow): MessageInitShape<typeof ProductSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    terms: termsToProto(row),
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  })
}

/** Absent terms have no fields set. */
export function termsFromProto(terms: ProtoTerms | undefined): TermsInput {
  if (!terms) return nothing
  const { $typeName, $unknown, subscriptionIntervalScale: scale, enabledAt, enabledUntil, ...rest } = terms
  return {
    ...rest,
    subscriptionIntervalScale: enumFromProto(scaleToProto, scale),
    enabledAt: enabledAt && timestampDate(enabledAt),
    enabledUntil: enabledUntil && timestampDate(enabledUntil),
  }
}

export function termsToProto(terms: ProductTerms): MessageInitShape<typeof ProductTermsSchema> {
  const { subscriptionIntervalScale: scale } = terms
  return present({
    slug: terms.slug,
    name: terms.name,
    description: terms.description,
    label: terms.label,
    price: terms.price,
    allowOneTimePurchase: terms.allowOneTimePurchase,
    allowSubscription: terms.allowSubscription,
    subscriptionIntervalValue: terms.subscriptionIntervalValue,
    subscriptionIntervalScale: scale && scaleToProto[scale],
    tags: [...terms.tags],
    customVariableIds: [...terms.customVariableIds],
    isHidden: terms.isHidden,
    isCouponsDisabled: terms.isCouponsDisabled,
    isGiftingDisabled: terms.isGiftingDisabled,
    isAffiliateLinksDisabled: terms.isAffiliateLinksDisabled,
    enabledAt: timestampOrAbsent(terms.enabledAt),
    enabledUntil: timestampOrAbsent(terms.enabledUntil),
    metadata: terms.metadata,
  })
}

export const scaleToProto = {
  day: ProtoScale.DAY,
  week: ProtoScale.WEEK,
  month: ProtoScale.MONTH,
  year: ProtoScale.YEAR,
} as const satisfies Record<IntervalScale, ProtoScale>

const nothing: TermsInput = {
  name: '',
  price: 0n,
  allowOneTimePurchase: false,
  allowSubscription: false,
  tags: [],
  customVariableIds: [],
  isHidden: false,
  isCouponsDisabled: false,
  isGiftingDisabled: false,
  isAffiliateLinksDisabled: false,
  metadata: {},
}
