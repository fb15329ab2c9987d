import { JetStreamApiError } from '@nats-io/jetstream'
import { createInbox, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'

/** Publishes messages to the stream and waits for their acknowledgements. */
export interface Publisher {
  /** The connection that it uses. */
  readonly connection: NatsConnection
  /**
   * @param headers contain `Nats-Msg-Id`
   * @returns the sequence in the stream
   * @throws JetStreamApiError if the stream rejects the message, Error if no stream has the subject or none responds within
   * `ackTimeoutMs`
   */
  publish(subject: string, payload: Uint8Array, headers: MsgHdrs): Promise<number>
}

/**
 * Creates a publisher with one inbox for all acknowledgements. The publish of the client library creates a timer and two errors
 * per message, which takes a quarter of the CPU time of a relay.
 *
 * @param name as in `createNats`: the first part of the inbox
 */
export function createPublisher(connection: NatsConnection, name: string): Publisher {
  const inbox = createInbox(`_INBOX.${name}`)
  const pending = new Map<string, Pending>()
  let sent = 0
  let isTimerSet = false

  connection.subscribe(`${inbox}.*`, {
    callback(error, message) {
      if (error) {
        // The server has rejected the subscription, so no acknowledgement will arrive. There is no message.
        for (const { reject } of pending.values()) reject(error)
        pending.clear()
        return
      }
      const token = message.subject.slice(inbox.length + 1)
      const publish = pending.get(token)
      pending.delete(token)
      if (publish) settle(publish, message)
    },
  })

  function setTimer(ms: number): void {
    if (isTimerSet) return
    isTimerSet = true
    setTimeout(expire, ms).unref()
  }

  /** The oldest come first, since all have the same time. */
  function expire(): void {
    isTimerSet = false
    const now = performance.now()
    for (const [token, { expiresAt, reject }] of pending) {
      if (expiresAt > now) {
        setTimer(expiresAt - now)
        return
      }
      pending.delete(token)
      reject(new Error('the stream did not respond'))
    }
  }

  return {
    connection,
    publish: (subject, payload, headers) =>
      new Promise((resolve, reject) => {
        sent += 1
        const token = sent.toString(36)
        connection.publish(subject, payload, { headers, reply: `${inbox}.${token}` })
        pending.set(token, { resolve, reject, expiresAt: performance.now() + ackTimeoutMs })
        setTimer(ackTimeoutMs)
      }),
  }
}

/** How long a publish waits for its acknowledgement. */
export const ackTimeoutMs = 2500

function settle({ resolve, reject }: Pending, message: Msg): void {
  // The server responds with an empty message if no stream has the subject.
  const { error, seq } = message.data.length === 0 ? noStream : message.json<Acknowledgement>()
  if (error) reject(new JetStreamApiError(error))
  else if (seq === undefined) reject(new Error('the stream sent an invalid acknowledgement'))
  else resolve(seq)
}

const noStream: Acknowledgement = {
  error: { code: 503, err_code: 0, description: 'no stream has the subject' },
}

interface Pending {
  resolve(sequence: number): void
  reject(error: unknown): void
  /** On the monotonic clock. */
  expiresAt: number
}

interface Acknowledgement {
  seq?: number
  error?: ConstructorParameters<typeof JetStreamApiError>[0]
}
