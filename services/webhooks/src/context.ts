import { createWakeSignal, type WakeSignal } from '@storekeep/common/events'
import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import { createAddressCheck } from '@storekeep/common/targets'
import type { DeliveriesService } from '@storekeep/proto/webhooks/v1/deliveries_service'
import type { ListeningService } from '@storekeep/proto/webhooks/v1/listening_service'
import type { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import { notAnEventType, webhookEventTypes } from '@storekeep/records/events/event-types'
import { createSender, type Sender } from './adapters/send-request.ts'
import type { WebhooksConfig } from './config.ts'
import { createDeliveryMetrics, type DeliveryMetrics } from './deliveries/tasks/delivery-metrics.ts'
import type { EndpointRules } from './endpoints/domain/endpoint-draft.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  endpointRules: EndpointRules
  /** The stream of all events. */
  stream: string
  /** Interval at which secrets of an earlier encryption key are encrypted again. */
  reencryptMs: number
  /** Makes the requests to endpoints. */
  outgoing: Sender
  attempts: WebhooksConfig['attempts'] & {
    /** Time after which another attempt may replace an unfinished attempt. */
    leaseMs: number
  }
  /** Wakes the sender of this process. */
  deliverySignal: WakeSignal
  deliveryMetrics: DeliveryMetrics
  /** From 0 to 1. */
  random(): number
}

export type ListeningHandlers = Handlers<typeof ListeningService>

/** The handlers of DeliveriesService, one per rpc. */
export type DeliveriesHandlers = Handlers<typeof DeliveriesService>

/** The handlers of WebhooksService, one per rpc. */
export type WebhooksHandlers = Handlers<typeof WebhooksService>

export function createContext(runtime: Runtime, config: WebhooksConfig): AppContext {
  const { events, outgoing, attempts, reencryptMs } = config
  return {
    ...runtime,
    stream: events.stream,
    endpointRules: {
      allowHttp: outgoing.allowHttp,
      isAllowedAddress: createAddressCheck(outgoing.allowedNetworks),
      isEventType: (name) => eventTypes.has(name),
      notAnEventType,
    },
    reencryptMs,
    outgoing: createSender({ ...outgoing, clock: runtime.clock }),
    attempts: { ...attempts, leaseMs: 2 * attempts.timeoutMs },
    deliverySignal: createWakeSignal(),
    deliveryMetrics: createDeliveryMetrics(runtime.metrics),
    random: Math.random,
  }
}

const eventTypes: ReadonlySet<string> = new Set(webhookEventTypes)
