import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AffiliateLinksHandlers, AppContext } from '../../context.ts'
import { deleteLockedAffiliateLink, lockAffiliateLink } from '../db/affiliate-link-repository.ts'
import { publishAffiliateLinkDeleted } from '../events/publish.ts'

export function deleteAffiliateLink(ctx: AppContext): AffiliateLinksHandlers['deleteAffiliateLink'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('affiliate_link_id', request.affiliateLinkId)
    return write(ctx, call, request, async (tx) => {
      const row = await lockAffiliateLink(tx, storeId, id)
      if (!row) throw errors.notFound('affiliate link')
      await deleteLockedAffiliateLink(tx, row)
      await publishAffiliateLinkDeleted(tx, row, call)
      return {}
    })
  }
}
