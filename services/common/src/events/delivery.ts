import { type Msg, nanos } from '@nats-io/transport-node'
import type { EventMessage } from './envelope.ts'

/** A message of the stream as a consumer receives it. */
export interface Delivery extends EventMessage {
  readonly info: DeliveryInfo
  /** Acknowledges the message as processed. */
  ack(): void
  /** Makes the server deliver the message again after `delayMs`. */
  nak(delayMs: number): void
  /** Makes the server never deliver the message again. */
  term(): void
  /** Extends the time that the server waits for an acknowledgement. */
  working(): void
}

export interface DeliveryInfo {
  stream: string
  /** How often the message was delivered, including this time. */
  deliveryCount: number
  streamSequence: number
  /** Number of this delivery; consecutive for a consumer. */
  deliverySequence: number
  /** Time at which the stream received the message, in ns since 1970. */
  timestampNanos: string
}

/**
 * Reads a message that a consumer of the server has sent.
 * @throws Error if anything else sent it
 */
export function readDelivery(message: Msg): Delivery {
  return new ReceivedDelivery(message, readInfo(message.reply ?? ''))
}

class ReceivedDelivery implements Delivery {
  readonly info: DeliveryInfo
  readonly #message: Msg

  constructor(message: Msg, info: DeliveryInfo) {
    this.#message = message
    this.info = info
  }

  get subject() {
    return this.#message.subject
  }

  get headers() {
    return this.#message.headers
  }

  get data() {
    return this.#message.data
  }

  ack() {
    this.#message.respond('+ACK')
  }

  nak(delayMs: number) {
    this.#message.respond(`-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`)
  }

  term() {
    this.#message.respond('+TERM')
  }

  working() {
    this.#message.respond('+WPI')
  }
}

/** The subject for acknowledgements contains the details; servers with domains add two tokens before them. */
function readInfo(reply: string): DeliveryInfo {
  const tokens = reply.split('.')
  const [stream, , deliveryCount, streamSequence, deliverySequence, timestampNanos] = tokens.slice(
    tokens.length === oldTokens ? 2 : 4,
  )
  if (!reply.startsWith('$JS.ACK.') || stream === undefined || timestampNanos === undefined) {
    throw new Error('The message was not sent by a consumer of a stream.')
  }
  return {
    stream,
    deliveryCount: Number(deliveryCount),
    streamSequence: Number(streamSequence),
    deliverySequence: Number(deliverySequence),
    timestampNanos,
  }
}

/** `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream sequence>.<delivery sequence>.<time>.<pending>` */
const oldTokens = 9
