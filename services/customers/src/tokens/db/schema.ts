/** Tokens with a lower epoch at either level are revoked. */
export interface TokenEpochs {
  customerEpoch: number
  storeEpoch: number
}
