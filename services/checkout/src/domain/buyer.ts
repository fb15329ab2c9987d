/** What a ban of the buyer could name. */
export interface BuyerIdentities {
  customerId: string
  name: string | undefined
  steamId: string | undefined
  minecraftUuid: string | undefined
  xboxXuid: string | undefined
  billingEmail?: string | undefined
  ip?: string | undefined
}
