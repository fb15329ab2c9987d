import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

/** Removes a stream with all its messages and consumers; false when there is none. */
export async function deleteStream(natsUrl: string, stream: string): Promise<boolean> {
  const nats = await connect({ servers: natsUrl, reconnect: false, timeout: 5_000 })
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
