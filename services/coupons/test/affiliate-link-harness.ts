import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CallOptions } from '@storekeep/common/grpc'
import { type TestService, useService } from '@storekeep/common/testing'
import {
  type AffiliateLink,
  type AffiliateLinkInputSchema,
  AmountType,
  RefererType,
} from '@storekeep/proto/coupons/v1/affiliate_link'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { file_storekeep_coupons_v1_events as events } from '@storekeep/proto/coupons/v1/events'
import sql from 'sql-template-tag'
import { type CouponsConfig, readConfig } from '../src/config.ts'
import { coupons as service } from '../src/service.ts'
import { settings } from './harness.ts'

/** The service with a client of AffiliateLinksService; see `useService`. */
export function useAffiliateLinks(): TestAffiliateLinks {
  return useService({ service, definition: AffiliateLinksService, events, readConfig, settings })
}

export type TestAffiliateLinks = TestService<CouponsConfig, typeof AffiliateLinksService>

export type Input = MessageInitShape<typeof AffiliateLinkInputSchema>

let counter = 0

/** A valid link: no discount, 12.5 % commission, with a unique code. */
export function newAffiliateLink(change: Input = {}) {
  counter += 1
  return {
    walletId: 'wallet-7',
    enabled: true,
    code: `Robin-${counter}`,
    refererType: RefererType.LAST_REFERER,
    trackingLengthDays: 30,
    discountType: AmountType.NONE,
    commissionType: AmountType.PERCENTAGE,
    commissionAmount: 125n,
    ...change,
  } satisfies Input
}

export async function createTestLink(
  { client }: Pick<TestAffiliateLinks, 'client'>,
  options: CallOptions,
  change: Input = {},
): Promise<AffiliateLink> {
  const { affiliateLink } = await client.createAffiliateLink({ affiliateLink: newAffiliateLink(change) }, options)
  if (!affiliateLink) throw new Error('CreateAffiliateLink returned no link')
  return affiliateLink
}

/** Copies a link until its store has `count` links. */
export async function fillStore({ database }: TestAffiliateLinks, { id, storeId }: AffiliateLink, count: number) {
  await database.query(sql`
    insert into affiliate_link
    select (jsonb_populate_record(link, jsonb_build_object('id', id - n, 'folded_code', n::text))).*
    from affiliate_link link, generate_series(1, ${count - 1}::int) n
    where store_id = ${storeId} and id = ${id}`)
}
