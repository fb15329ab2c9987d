import { type EventData, fieldsOf } from './discord-fields.ts'

/**
 * The body of a request to a webhook of Discord: an embed with the fields of the record that people look for. It has no
 * mentions, and texts of customers are not formatted.
 * @param payload the JSON of `renderEvent`
 */
export function discordBody(type: string, payload: string): string {
  const { timestamp, data }: { timestamp: string; data: EventData } = JSON.parse(payload)
  const fields = fieldsOf(type, data).slice(0, limits.fields)
  return JSON.stringify({
    embeds: [
      {
        title: cut(titleOf(type), limits.title),
        timestamp,
        fields: fields.map(([name, value]) => ({ name, value: cut(plain(value), limits.value), inline: true })),
      },
    ],
    allowed_mentions: { parse: [] },
  })
}

/** `checkout_session.completed` becomes `Checkout session completed`. */
function titleOf(type: string): string {
  const words = type.replace(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Escapes the characters of Discord's Markdown: a link would otherwise hide where it leads. */
function plain(text: string): string {
  return text.replace(/[\\*_~`|<>[\]#]/g, '\\$&')
}

/** Shortens a text without cutting a character in two. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Limits of Discord. The sum of all texts of the embed stays below its limit of 6000. */
const limits = { title: 256, fields: 10, value: 400 }
