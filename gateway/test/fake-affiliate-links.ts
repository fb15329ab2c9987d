import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import { type AffiliateLinkSchema, AmountType, RefererType } from '@storekeep/proto/coupons/v1/affiliate_link'
import type { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { newId } from './ids.ts'

/** The affiliate links of the coupons service without its rules. */
export function affiliateLinksHandlers(): Handlers<typeof AffiliateLinksService> {
  const one = async (id: string, call: Call) => ({ affiliateLink: affiliateLinkMessage(id, call) })
  return {
    createAffiliateLink: (_request, call) => one(newId(), call),
    getAffiliateLink: ({ affiliateLinkId }, call) => one(affiliateLinkId, call),
    listAffiliateLinks: async (_request, call) => ({ affiliateLinks: [affiliateLinkMessage(newId(), call)] }),
    updateAffiliateLink: ({ affiliateLinkId }, call) => one(affiliateLinkId, call),
    deleteAffiliateLink: async () => ({}),
  }
}

function affiliateLinkMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof AffiliateLinkSchema> {
  return {
    id,
    storeId,
    walletId: 'wallet-7',
    enabled: true,
    code: 'ROBIN',
    refererType: RefererType.LAST_REFERER,
    trackingLengthDays: 30,
    applyForSubscriptions: true,
    discountType: AmountType.NONE,
    discountAmount: 0n,
    commissionType: AmountType.PERCENTAGE,
    commissionAmount: 125n,
    commissionAmountSteps: [{ billingCycleSequence: 2, commissionAmount: 50n }],
    lastCommissionAmountStepRepeats: true,
    createdBy: actor,
    createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    version: 1n,
  }
}
