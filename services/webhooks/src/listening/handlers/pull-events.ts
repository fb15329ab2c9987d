import { setTimeout } from 'node:timers/promises'
import { errors, violation } from '@storekeep/common/errors'
import { peekEvents } from '@storekeep/common/events'
import { requireStore } from '@storekeep/common/grpc'
import { eventMessages, notAnEventType, renderEvent } from '@storekeep/records/events/event-types'
import type { AppContext, ListeningHandlers } from '../../context.ts'

export function pullEvents(ctx: AppContext): ListeningHandlers['pullEvents'] {
  const source = { nats: ctx.nats, stream: ctx.stream, schemas: eventMessages }
  return async ({ position: after, eventTypes }, call) => {
    const storeId = requireStore(call)
    const violations = eventTypes.flatMap((name, index) =>
      ctx.endpointRules.isEventType(name)
        ? []
        : [violation(`event_types.${index}`, 'enum', `"${name}" ${notAnEventType(name)}`)],
    )
    if (violations.length > 0) throw errors.validationFailed(violations)
    let position = after === undefined ? undefined : Number(after)
    const endsAt = ctx.clock.monotonicMs() + Math.min(maxWaitMs, call.remainingMs() / 2)
    while (true) {
      const isFirst = position === undefined
      const next = await peekEvents(source, position)
      position = next.position
      const events = next.events.flatMap((event) => {
        if (event.storeId !== storeId) return []
        const rendered = renderIfValid({ ...event, storeId })
        if (!rendered || (eventTypes.length > 0 && !eventTypes.includes(rendered.type))) return []
        return [{ id: event.id, ...rendered }]
      })
      const isLate = ctx.clock.monotonicMs() >= endsAt || call.signal.aborted
      if (isFirst || isLate || events.length > 0) return { events, position: BigInt(position) }
      await setTimeout(pollMs)
    }
  }
}

/** An event without its record must not stop the reader at its position. The consumer of deliveries reports it. */
function renderIfValid(event: Parameters<typeof renderEvent>[0]): ReturnType<typeof renderEvent> {
  try {
    return renderEvent(event)
  } catch {
    return undefined
  }
}

const maxWaitMs = 4000
/** A person does not notice it, and a request per interval is no load. */
const pollMs = 100
