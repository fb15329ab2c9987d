import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AffiliateLinksHandlers, AppContext } from '../../context.ts'
import { hasAffiliateLinks, insertAffiliateLink, takenAffiliateCode } from '../db/affiliate-link-repository.ts'
import { maxAffiliateLinks } from '../domain/affiliate-link.ts'
import { checkAffiliateLink } from '../domain/affiliate-link-draft.ts'
import { publishAffiliateLinkCreated } from '../events/publish.ts'
import { affiliateLinkInputFromProto, affiliateLinkToProto } from '../mappers.ts'

export function createAffiliateLink(ctx: AppContext): AffiliateLinksHandlers['createAffiliateLink'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const terms = checkAffiliateLink(affiliateLinkInputFromProto(request.affiliateLink))
    const created = write(ctx, call, request, async (tx) => {
      // Concurrent creates may exceed the limit by a few, which does no harm.
      if (await hasAffiliateLinks(tx, storeId, maxAffiliateLinks)) throw errors.conflict(tooMany)
      const createdBy = actorText(call.actor)
      const row = await insertAffiliateLink(tx, { ...terms, storeId, createdBy, createdAt: ctx.clock.now() })
      await publishAffiliateLinkCreated(tx, row, call)
      return { affiliateLink: affiliateLinkToProto(row) }
    })
    return conflictOn(takenAffiliateCode, created)
  }
}

const tooMany = `The store has reached the limit of ${maxAffiliateLinks} affiliate links.`
