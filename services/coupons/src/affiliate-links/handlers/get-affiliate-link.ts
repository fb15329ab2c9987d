import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AffiliateLinksHandlers, AppContext } from '../../context.ts'
import { findAffiliateLink } from '../db/affiliate-link-repository.ts'
import { affiliateLinkToProto } from '../mappers.ts'

export function getAffiliateLink(ctx: AppContext): AffiliateLinksHandlers['getAffiliateLink'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('affiliate_link_id', request.affiliateLinkId)
    const row = await findAffiliateLink(ctx.database, storeId, id)
    if (!row) throw errors.notFound('affiliate link')
    return { affiliateLink: affiliateLinkToProto(row) }
  }
}
