import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import { webhookEventTypes } from '@storekeep/gateway/event-types'
import type { ListeningService } from '@storekeep/proto/webhooks/v1/listening_service'
import type { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import type { WebhooksConfig } from './config.ts'
import type { EndpointRules } from './endpoints/domain/endpoint-draft.ts'
import { createAddressCheck } from './outgoing/domain/public-addresses.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  endpointRules: EndpointRules
  /** The stream of all events. */
  stream: string
  /** Interval at which secrets of an earlier encryption key are encrypted again. */
  reencryptMs: number
}

export type ListeningHandlers = Handlers<typeof ListeningService>

/** The handlers of WebhooksService, one per rpc. */
export type WebhooksHandlers = Handlers<typeof WebhooksService>

export function createContext(runtime: Runtime, { events, outgoing, reencryptMs }: WebhooksConfig): AppContext {
  return {
    ...runtime,
    stream: events.stream,
    endpointRules: {
      allowHttp: outgoing.allowHttp,
      isAllowedAddress: createAddressCheck(outgoing.allowedNetworks),
      isEventType: (name) => eventTypes.has(name),
    },
    reencryptMs,
  }
}

const eventTypes: ReadonlySet<string> = new Set(webhookEventTypes)
