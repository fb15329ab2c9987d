/** How a purchase is taxed. All of its lines have the same rate. */
export interface TaxTerms {
  inclusive: boolean
  /** The country of the buyer: ISO 3166-1 alpha-2. */
  country: string
  /** Hundredths of a percent. */
  rate: number
  /** Null if the store is not registered in the country. */
  name: string | null
  /** Whether the buyer is a business that owes the tax itself. */
  reverseCharge: boolean
  evidence: TaxEvidence
  timeZone: string
}

/** The tax of a session. Invariant: net plus tax is its total. */
export interface SessionTax extends TaxTerms {
  netAmount: bigint
  taxAmount: bigint
}

/** Why the buyer counts as being in a country. */
export interface TaxEvidence {
  billingCountry: string | null
  /** The country of the buyer's IP address. */
  ipCountry: string | null
  taxIdCheck: TaxIdCheck
}

/** `unconfirmed`: the register did not respond. */
export type TaxIdCheck = 'none' | 'invalid' | 'well_formed' | 'confirmed' | 'unconfirmed'
