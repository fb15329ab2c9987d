import type { CheckoutLine } from '@storekeep/proto/checkout/v1/checkout_session'
import type { GameServer } from '@storekeep/proto/delivery/v1/game_server'
import { html } from 'hono/html'
import type { Texts } from '../texts/en.ts'
import type { Html } from './html.ts'

/**
 * The field of the payment form with which the buyer chooses the game server of a line. Undefined if there is nothing to choose.
 * @param gameServers all game servers of the store
 */
export function gameServerField(
  { name, gameServerChoice: choice, selectedGameserverId: selectedId }: CheckoutLine,
  { position, gameServers, isInvalid, texts }: GameServerField,
): Html | undefined {
  if (!choice) return undefined
  const offered = gameServers.filter(
    ({ id, enabled }) =>
      id === selectedId || (enabled && (choice.gameServerIds.length === 0 || choice.gameServerIds.includes(id))),
  )
  if (offered.length < 2) return undefined
  const id = gameServerFieldName(position)
  return html`<div class="field server">
<label for="${id}">${texts.gameServer}<span class="visually-hidden"> (${name})</span></label>
<select id="${id}" name="${id}" form="${paymentFormId}" aria-describedby="${id}-hint"${isInvalid ? html` aria-invalid="true" autofocus` : ''}>
${offered.map((server) => html`<option value="${server.id}"${server.id === selectedId ? html` selected` : ''}>${server.name}</option>`)}
</select>
<p class="hint${isInvalid ? ' invalid' : ''}" id="${id}-hint">${isInvalid ? texts.serverUnavailable : ''}</p>
</div>`
}

interface GameServerField {
  /** Of the line in the session, starting at 1. */
  position: number
  gameServers: readonly GameServer[]
  /** Whether the server that the buyer chose is no longer available. */
  isInvalid: boolean
  texts: Texts
}

/** @param position of the line in the session, starting at 1 */
export function gameServerFieldName(position: number): string {
  return `game-server-${position}`
}

/** The form that also submits the fields of the lines. */
export const paymentFormId = 'payment-form'
