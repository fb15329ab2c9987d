import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AffiliateLinksHandlers, AppContext } from '../../context.ts'
import { selectAffiliateLinks } from '../db/affiliate-link-repository.ts'
import { affiliateLinkToProto } from '../mappers.ts'

/** Usually 50 kB, at most 400 kB: a larger response would delay other calls on the connection. */
const linksPerResponse = 200

export function listAffiliateLinks(ctx: AppContext): AffiliateLinksHandlers['listAffiliateLinks'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const after = request.after === undefined ? undefined : requireFlakeId('after', request.after)
    const read = await selectAffiliateLinks(ctx.database.scans(call), storeId, { after, limit: linksPerResponse + 1 })
    const rows = read.slice(0, linksPerResponse)
    const last = read.length > rows.length ? rows.at(-1) : undefined
    return { affiliateLinks: rows.map(affiliateLinkToProto), ...(last && { nextAfter: last.id }) }
  }
}
