import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../context.ts'
import { selectAwaitingPrefetch } from '../db/image-repository.ts'

/** Fetches the images that a catalog names for the first time, a few at a time, so that the first shopper sees them. */
export function prefetchImages({ database, log, refreshes, fetching }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'prefetch-images',
    everyMs: fetching.prefetchMs,
    log,
    async run(isStopping) {
      while (!isStopping()) {
        const images = await selectAwaitingPrefetch(database, batch)
        await Promise.all(images.map((image) => refreshes.refresh(image)))
        if (images.length < batch) return
      }
    },
  })
}

const batch = 4
