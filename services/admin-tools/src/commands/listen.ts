import { randomBytes } from 'node:crypto'
import { systemClock } from '@storekeep/common/clock'
import { signatureHeaders } from '@storekeep/common/crypto'
import { ServiceFault } from '@storekeep/common/errors'
import { AdminError, type Command, type OptionValues, type Services } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'

export const listen: Command = {
  name: 'listen',
  summary: 'Prints the events of a store as they happen, and forwards them to a server on your machine.',
  options: [
    storeOption,
    { name: 'forward-to', value: '<url>', help: 'Sends each event there with POST, as to a webhook endpoint.' },
    { name: 'event-types', value: '<names>', help: 'Only these, separated by commas: order.created,ban.created.' },
  ],
  examples: [
    '--store rusty-isles --forward-to http://localhost:3000/hook',
    '--store rusty-isles --event-types order.created',
  ],
  async run(values, services, report, interrupted) {
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
          const outcome = url ? `  → ${await forward(url, event, secret, signal)}` : ''
          report(`${timeOf(event.payload)}  ${event.type}  ${event.id}${outcome}`)
          count += 1
        }
      } catch (error) {
        if (!isTemporary(error)) throw error
        if (!isUnavailable) report('The connection was lost. Trying again.')
        isUnavailable = true
        await unlessAborted(new Promise((resolve) => setTimeout(resolve, 1000)), signal)
      }
    }
    return { records: [{ events: count }], list: false }
  },
}

type Event = Awaited<ReturnType<Services['listening']['pullEvents']>>['events'][number]

function readUrl(values: OptionValues): string | undefined {
  const url = values.optional('forward-to')
  if (url !== undefined && !/^https?:\/\//.test(url)) throw new AdminError('--forward-to must be an http or https URL.')
  if (url !== undefined && !URL.canParse(url)) throw new AdminError('--forward-to must be a URL.')
  return url
}

/** @returns the status of the response, or why there is none */
async function forward(url: string, { id, payload }: Event, secret: string, ended: AbortSignal): Promise<string> {
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
    return String(response.status)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return cause instanceof Error ? cause.message : 'failed'
  }
}

function timeOf(payload: string): string {
  const { timestamp }: { timestamp: string } = JSON.parse(payload)
  return timestamp
}

/** AdminError: the service is unreachable. */
function isTemporary(error: unknown): boolean {
  return error instanceof AdminError || (error instanceof ServiceFault && error.code === 'service-unavailable')
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    work.then(resolve, reject)
  })
}
