import type { AffiliateLinksHandlers, AppContext } from '../../context.ts'
import { createAffiliateLink } from './create-affiliate-link.ts'
import { deleteAffiliateLink } from './delete-affiliate-link.ts'
import { getAffiliateLink } from './get-affiliate-link.ts'
import { listAffiliateLinks } from './list-affiliate-links.ts'
import { updateAffiliateLink } from './update-affiliate-link.ts'

export function createAffiliateLinkHandlers(ctx: AppContext): AffiliateLinksHandlers {
  return {
    createAffiliateLink: createAffiliateLink(ctx),
    getAffiliateLink: getAffiliateLink(ctx),
    listAffiliateLinks: listAffiliateLinks(ctx),
    updateAffiliateLink: updateAffiliateLink(ctx),
    deleteAffiliateLink: deleteAffiliateLink(ctx),
  }
}
