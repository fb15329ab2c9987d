import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../context.ts'
import { endKeptImages, measureStorage } from '../db/source-repository.ts'

/** Deletes images that only checkout sessions named, after the time for which their orders show them. */
export function deleteUnneededImages({ database, clock, log, sources }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'delete-unneeded-images',
    everyMs: sources.maintenanceMs,
    log,
    async run(isStopping) {
      const endBatch = () => database.transaction((tx) => endKeptImages(tx, clock.now(), batch))
      while (!isStopping() && (await endBatch()) === batch);
    },
  })
}

/** Exports what is stored. */
export function measureImages({ database, log, imageMetrics }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'measure-images',
    everyMs: 60_000,
    log,
    async run() {
      const { sources, bytes } = await measureStorage(database.scans())
      imageMetrics.sources.set(sources)
      imageMetrics.bytes.set(bytes)
    },
  })
}

const batch = 500
