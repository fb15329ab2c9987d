import { signatureHeaders } from '@storekeep/common/crypto'
import type { Headers, WebhookFormat } from '../../endpoints/domain/endpoint.ts'

import { discordBody } from './discord.ts'

interface RenderedEvent {
  /** The `webhook-id`. */
  id: string
  type: string
  /** The JSON of `renderEvent`. */
  payload: string
}

interface Recipient {
  format: WebhookFormat
  /** The valid signing secrets. */
  secrets: readonly string[]
  /** Additional headers of the endpoint. */
  headers: Headers
}

/** The headers and the body of one attempt. @param now time of the attempt */
export function renderRequest(
  { id, type, payload }: RenderedEvent,
  { format, secrets, headers }: Recipient,
  now: Date,
): { headers: Record<string, string>; body: string } {
  const body = format === 'discord' ? discordBody(type, payload) : payload
  const ours = { 'content-type': 'application/json', 'user-agent': 'Storekeep-Webhooks/1' }
  return { headers: { ...headers, ...ours, ...signatureHeaders(id, now, body, secrets) }, body }
}
