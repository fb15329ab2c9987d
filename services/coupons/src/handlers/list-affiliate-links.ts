import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { affiliateLinkToProto } from '../affiliate-link-mappers.ts'
import type { AppContext } from '../context.ts'
import { selectAffiliateLinks } from '../db/affiliate-link-repository.ts'
import type { AffiliateLinksHandlers } from './affiliate-link-handlers.ts'

/** Of links as large as they can be, about 3 MB: well within a gRPC message. */
const linksPerAnswer = 1000

export function listAffiliateLinks(ctx: AppContext): AffiliateLinksHandlers['listAffiliateLinks'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const after = request.after === undefined ? undefined : requireFlakeId('after', request.after)
    const read = await selectAffiliateLinks(ctx.database, storeId, { after, limit: linksPerAnswer + 1 })
    const rows = read.slice(0, linksPerAnswer)
    const last = read.length > rows.length ? rows.at(-1) : undefined
    return { affiliateLinks: rows.map(affiliateLinkToProto), ...(last && { nextAfter: last.id }) }
  }
}
