import { type Msg, nanos } from '@nats-io/transport-node'
import type { EventMessage } from './envelope.ts'

/** A message of the stream as a consumer receives it. */
export class Delivery implements EventMessage {
  readonly info: DeliveryInfo
  readonly #message: Msg

  /** @throws Error unless a consumer of the server has sent the message */
  constructor(message: Msg) {
    this.#message = message
    this.info = readInfo(message.reply ?? '')
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

  /** Acknowledges the message as processed. */
  ack() {
    this.#message.respond('+ACK')
  }

  /** Makes the server deliver the message again after `delayMs`. */
  nak(delayMs: number) {
    this.#message.respond(`-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`)
  }

  /** Makes the server never deliver the message again. */
  term() {
    this.#message.respond('+TERM')
  }

  /** Extends the time that the server waits for an acknowledgement. */
  working() {
    this.#message.respond('+WPI')
  }
}

interface DeliveryInfo {
  stream: string
  /** How often the message was delivered, including this time. */
  deliveryCount: number
  streamSequence: number
  /** Number of this delivery; consecutive for a consumer. */
  deliverySequence: number
  /** Time at which the stream received the message, in ns since 1970. */
  timestampNanos: string
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
