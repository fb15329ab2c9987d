import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AffiliateLinksHandlers, AppContext } from '../../context.ts'
import { lockAffiliateLink, takenAffiliateCode, updateAffiliateLinkState } from '../db/affiliate-link-repository.ts'
import { applyChange, readChange } from '../domain/affiliate-link-change.ts'
import { publishAffiliateLinkUpdated } from '../events/publish.ts'
import { affiliateLinkInputFromProto, affiliateLinkToProto } from '../mappers.ts'

export function updateAffiliateLink(ctx: AppContext): AffiliateLinksHandlers['updateAffiliateLink'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('affiliate_link_id', request.affiliateLinkId)
    const change = readChange(affiliateLinkInputFromProto(request.affiliateLink), request.updateMask?.paths ?? [])
    const updated = write(ctx, call, request, async (tx) => {
      const row = await lockAffiliateLink(tx, storeId, id)
      if (!row) throw errors.notFound('affiliate link')
      const changed = applyChange(row, change)
      if (!changed) return { affiliateLink: affiliateLinkToProto(row) }
      const by = { updatedBy: actorText(call.actor), updatedAt: ctx.clock.now() }
      const written = await updateAffiliateLinkState(tx, row, changed, by)
      await publishAffiliateLinkUpdated(tx, written, call)
      return { affiliateLink: affiliateLinkToProto(written) }
    })
    return conflictOn(takenAffiliateCode, updated)
  }
}
