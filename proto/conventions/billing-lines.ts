interface BillingDetails {
  billingName?: string | undefined
  billingTaxId?: string | undefined
  billingAddress?:
    | { [Part in 'line1' | 'line2' | 'postalCode' | 'city' | 'state' | 'country']?: string | undefined }
    | undefined
}

/** The name, the postal address and the tax id of a buyer, as receipts print them. Without the parts that are not known. */
export function billingLines(details: BillingDetails | undefined): string[] {
  const address = details?.billingAddress
  return [
    details?.billingName,
    address?.line1,
    address?.line2,
    [address?.postalCode, address?.city].filter(Boolean).join(' '),
    address?.state,
    address?.country,
    details?.billingTaxId,
  ].flatMap((line) => line || [])
}
