import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

/** Removes a stream with all its messages and consumers; false when there is none. */
export async function deleteStream(natsUrl: string, stream: string): Promise<boolean> {
  const nats = await connect({ servers: natsUrl.split(','), reconnect: false, timeout: 5_000 })
  try {
    const manager = await jetstreamManager(nats)
    return await manager.streams.delete(stream).catch((error: unknown) => {
      if (error instanceof Error && /not found/.test(error.message)) return false
      throw error
    })
  } finally {
    await nats.close()
  }
}

/** Every message that a stream holds now, as text. */
export async function readStream({ natsUrl, stream }: { natsUrl: string; stream: string }): Promise<string[]> {
  const nats = await connect({ servers: natsUrl.split(','), reconnect: false, timeout: 5_000 })
  try {
    const { state } = await (await jetstreamManager(nats)).streams.info(stream)
    if (state.messages === 0) return []
    const texts: string[] = []
    const consumer = await jetstream(nats).consumers.get(stream)
    for await (const message of await consumer.consume()) {
      texts.push(Buffer.from(message.data).toString('latin1'))
      if (message.seq >= state.last_seq) break
    }
    return texts
  } finally {
    await nats.close()
  }
}
