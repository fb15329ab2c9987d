import { errors, ServiceFault } from '@storekeep/common/errors'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import type { BansService } from '@storekeep/proto/bans/v1/bans_service'
import type { BuyerIdentities } from '../sessions/domain/buyer.ts'

/** Checks bans. Fails closed: without a response nothing is sold. */
export function createBanCheck(bans: Pick<Client<typeof BansService>, 'checkBan'>): BanCheck {
  return {
    async isBanned(buyer, call) {
      const options = onBehalfOf(call)
      const deadlineMs = Math.min(options.deadlineMs ?? maxMs, maxMs)
      try {
        const { banId } = await bans.checkBan({ identities: identitiesOf(buyer) }, { ...options, deadlineMs })
        return banId !== undefined
      } catch (error) {
        // A rejected request is a bug in this service.
        if (error instanceof ServiceFault && error.code !== 'service-unavailable') throw errors.internal(error)
        throw errors.unavailable(error)
      }
    },
  }
}

export interface BanCheck {
  /** @throws ServiceFault `service-unavailable`; `internal-error` if bans rejects the request */
  isBanned(buyer: BuyerIdentities, call: Call): Promise<boolean>
}

/** A limit below the deadline of the call, so that a retry at another replica is possible. */
const maxMs = 2000

function identitiesOf(buyer: BuyerIdentities) {
  const all = [
    { banType: BanType.CUSTOMER, banTypeValue: buyer.customerId },
    ...buyer.names.map((name) => ({ banType: BanType.CUSTOMER_NAME, banTypeValue: name })),
    { banType: BanType.STEAM, banTypeValue: buyer.steamId },
    { banType: BanType.MINECRAFT_UUID, banTypeValue: buyer.minecraftUuid },
    { banType: BanType.XBOX_XUID, banTypeValue: buyer.xboxXuid },
    { banType: BanType.EMAIL, banTypeValue: buyer.billingEmail },
    { banType: BanType.IP, banTypeValue: buyer.ip },
  ]
  return all.flatMap(({ banType, banTypeValue }) => (banTypeValue === undefined ? [] : [{ banType, banTypeValue }]))
}
