/** A URL of a store's own server that receives events. Ids are decimal strings. */
export interface Endpoint extends EndpointTerms, EndpointHealth {
  id: string
  storeId: string
  headerNames: readonly string[]
}

/** What a caller sets, without the headers, whose values are secrets. */
export interface EndpointTerms {
  url: string
  /** Names without duplicates, or only `*`. */
  eventTypes: readonly string[]
  enabled: boolean
  description: string
  format: WebhookFormat
}

/** What the outcomes of attempts say about the endpoint. */
export interface EndpointHealth {
  /** Why the service disabled the endpoint; null while it is enabled and if a caller disabled it. */
  disabledReason: DisabledReason | null
  /** Since when every attempt has failed; null after a success. */
  failingSince: Date | null
}

/** Additional request headers: name as given → value. */
export type Headers = Readonly<Record<string, string>>

export const webhookFormats = ['standard', 'discord'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

export type DisabledReason = 'failing' | 'gone'

/** The only event type of an endpoint that receives all types, including types added by later releases. */
export const everyType = '*'
