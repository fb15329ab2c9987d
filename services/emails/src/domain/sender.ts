/** Parses EMAIL_FROM, an address without a name. @throws Error whose message continues the setting's name */
export function parseSender(text: string): string {
  if (/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text) && text.length <= 254) return text
  throw new Error('must be an email address such as shop@example.org, without a name')
}

/** The part after the @. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
