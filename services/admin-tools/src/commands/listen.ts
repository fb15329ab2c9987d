import { randomBytes } from 'node:crypto'
import { systemClock } from '@storekeep/common/clock'
import { signatureHeaders } from '@storekeep/common/crypto'
import { isFault } from '@storekeep/common/errors'
import { AdminError, type Command, type OptionValues, type Services } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'

export const listen: Command = {
  name: 'listen',
  summary: 'Prints the events of a store as they happen, and can forward them to a server on your machine.',
  options: [
    storeOption,
    { name: 'forward-to', value: '<url>', help: 'Sends each event there with POST, as to a webhook endpoint.' },
    { name: 'event-types', value: '<names>', help: 'Only these, separated by commas: order.created,ban.created.' },
  ],
  examples: [
    '--store demo-rust --forward-to http://localhost:3000/hook',
    '--store demo-rust --event-types order.created,ban.created',
    '--store demo-rust --json',
  ],
  async run(values, services, { json, print, report, interrupted }) {
    const url = readUrl(values)
    const store = await findStore(services, values.required('store'))
    const eventTypes = values.optional('event-types')?.split(',') ?? []
    const pull = (position?: bigint) =>
      services.listening.pullEvents(
        { eventTypes, ...(position !== undefined && { position }) },
        services.call(store.id),
      )
    let { position } = await pull()
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    if (url) report(`Forwarding to ${url}. Signing secret: ${secret}`)
    report(`Listening to the store ${store.slug}. Press Ctrl-C to end.`)
    const signal = interrupted()
    let count = 0
    let isUnavailable = false
    while (!signal.aborted) {
      try {
        const pulled = await unlessAborted(pull(position), signal)
        if (!pulled) break
        if (isUnavailable) report('Reconnected.')
        isUnavailable = false
        position = pulled.position
        for (const event of pulled.events) {
          print((json ? formatJson : formatLine)(event, url && (await forward(url, event, secret, signal))))
          count += 1
        }
      } catch (error) {
        if (!isTemporary(error)) throw error
        if (!isUnavailable) report('The connection was lost. Trying again.')
        isUnavailable = true
        await unlessAborted(new Promise((resolve) => setTimeout(resolve, 1000)), signal)
      }
    }
    report(count === 1 ? '1 event' : `${count} events`)
    return undefined
  },
}

type Event = Awaited<ReturnType<Services['listening']['pullEvents']>>['events'][number]

function readUrl(values: OptionValues): string | undefined {
  const url = values.optional('forward-to')
  if (url !== undefined && !/^https?:\/\//.test(url)) throw new AdminError('--forward-to must be an http or https URL.')
  if (url !== undefined && !URL.canParse(url)) throw new AdminError('--forward-to must be a URL.')
  return url
}

/** The status of the response, or why there is none. */
type Outcome = number | string

function formatLine({ id, type, payload }: Event, outcome: Outcome | undefined): string {
  return `${parse(payload).timestamp}  ${type}  ${id}${outcome === undefined ? '' : `  → ${outcome}`}`
}

/** `status` is null without a response; `error` then has the reason, if the event was forwarded. */
function formatJson({ id, type, payload }: Event, outcome: Outcome | undefined): string {
  const status = typeof outcome === 'number' ? outcome : null
  const error = typeof outcome === 'string' ? outcome : null
  const parsed = parse(payload)
  return JSON.stringify({ time: parsed.timestamp, type, id, status, error, payload: parsed })
}

function parse(payload: string): { timestamp: string } {
  return JSON.parse(payload)
}

async function forward(url: string, { id, payload }: Event, secret: string, ended: AbortSignal): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'Storekeep-Webhooks/1' }
  const signed = signatureHeaders(id, systemClock.now(), payload, [secret])
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...signed },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([ended, AbortSignal.timeout(15_000)]),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return cause instanceof Error ? cause.message : 'failed'
  }
}

/** AdminError: the service is unreachable. */
function isTemporary(error: unknown): boolean {
  return error instanceof AdminError || isFault(error, 'service-unavailable')
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    work.then(resolve, reject)
  })
}
