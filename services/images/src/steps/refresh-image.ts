import { createFairQueue } from '@storekeep/common/queue'
import type { Runtime } from '@storekeep/common/service'
import type { Encoder } from '../adapters/encode-image.ts'
import type { Fetcher } from '../adapters/fetch-image.ts'
import { claimSource, confirmCopies, type ImageRef, recordFailure, storeCopies } from '../db/image-repository.ts'
import { ImageFailure } from '../domain/image-failure.ts'
import { nextFetchAfterFailure, nextFetchAfterStart, nextFetchAfterSuccess } from '../domain/times.ts'
import type { ImageMetrics } from '../tasks/image-metrics.ts'

export interface Refreshes {
  /**
   * Fetches an image whose time has come and stores its copies, or why there are none. Concurrent calls for an image share one
   * request. The stores take turns.
   * @throws ServiceFault `service-unavailable` if the database is unavailable, or if too many images of the store are waiting
   */
  refresh(image: ImageRef): Promise<void>
  /** The request for an image that is in flight in this process, if any. */
  running(image: ImageRef): Promise<void> | undefined
  /** Waits for the requests in flight. */
  close(): Promise<void>
}

export function createRefreshes(ctx: RefreshContext): Refreshes {
  const running = new Map<string, Promise<void>>()
  const fetches = createFairQueue({ concurrency: 8, maxWaiting: 500 })
  const decodes = createFairQueue({ concurrency: 1, maxWaiting: 500 })
  const stopping = new AbortController()
  const { signal } = stopping

  const idOf = ({ storeId, key }: ImageRef) => `${storeId} ${key}`
  /** A slow server delays at most half of the other images of its store. */
  const laneOf = ({ storeId, key }: ImageRef) => `${storeId} ${key.charCodeAt(0) % 2}`

  async function refresh(image: ImageRef): Promise<void> {
    const now = ctx.clock.now()
    const times = { now, claimedUntil: nextFetchAfterStart(now) }
    const source = await ctx.database.transaction((tx) => claimSource(tx, image, times))
    if (source === undefined) return
    try {
      const fetched = await ctx.fetcher.fetch(source.url, source)
      const done = ctx.clock.now()
      const at = { now: done, nextFetchAt: nextFetchAfterSuccess(done) }
      if (fetched === undefined) {
        await ctx.database.transaction((tx) => confirmCopies(tx, image, at))
      } else {
        const { bytes, type, version } = fetched
        const variants = await decodes.run({ key: image.storeId, signal }, () => ctx.encoder.encode(bytes, type))
        await ctx.database.transaction((tx) => storeCopies(tx, image, variants, { ...version, ...at }))
      }
      ctx.imageMetrics.fetches.inc({ outcome: fetched === undefined ? 'unchanged' : 'fetched' })
    } catch (error) {
      if (!(error instanceof ImageFailure)) throw error
      const { reason } = error
      ctx.imageMetrics.fetches.inc({ outcome: reason })
      ctx.log.info({ store_id: image.storeId, target: image.key, reason, err: error }, 'image could not be fetched')
      const nextFetchAt = nextFetchAfterFailure(ctx.clock.now())
      await ctx.database.transaction((tx) => recordFailure(tx, image, reason, nextFetchAt))
    }
  }

  return {
    refresh(image) {
      const id = idOf(image)
      const known = running.get(id)
      if (known) return known
      const started = fetches
        .run({ key: laneOf(image), signal }, () => refresh(image))
        .finally(() => running.delete(id))
      running.set(id, started)
      return started
    },
    running: (image) => running.get(idOf(image)),
    async close() {
      stopping.abort()
      await Promise.allSettled(running.values())
    },
  }
}

interface RefreshContext extends Pick<Runtime, 'database' | 'clock' | 'log'> {
  fetcher: Fetcher
  encoder: Encoder
  imageMetrics: ImageMetrics
}
