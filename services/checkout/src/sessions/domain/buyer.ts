/** What a ban of the buyer could name. */
export interface BuyerIdentities {
  customerId: string
  /** The one that the store gave, and the one that the player has in Minecraft. */
  names: readonly string[]
  steamId: string | undefined
  minecraftUuid: string | undefined
  xboxXuid: string | undefined
  billingEmail?: string | undefined
  ip?: string | undefined
}
