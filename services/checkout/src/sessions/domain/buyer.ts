/** The identities by which the buyer may be banned. */
export interface BuyerIdentities {
  customerId: string
  /** The name set by the store and the Minecraft name. */
  names: readonly string[]
  steamId: string | undefined
  minecraftUuid: string | undefined
  xboxXuid: string | undefined
  billingEmail?: string | undefined
  ip?: string | undefined
}
