import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../context.ts'
import { keepImages, replaceReferences } from '../db/source-repository.ts'
import { namedImages, type RecordRef } from '../domain/named-image.ts'
import { sessionImagesKeptUntil } from '../domain/times.ts'

/** Records the images that a record names now; none if it was deleted. */
export async function nameImages(
  ctx: AppContext,
  tx: Transaction,
  record: RecordRef,
  urls: readonly (string | undefined)[],
): Promise<void> {
  const options = { now: ctx.clock.now(), ...ctx.sources, isCatalog: record.type !== 'customer' }
  countIgnored(ctx, tx, await replaceReferences(tx, record, namedImages(urls), options))
}

/** Records the images of the lines of a checkout session, which the pages of its order show, too. */
export async function nameSessionImages(
  ctx: AppContext,
  tx: Transaction,
  storeId: string,
  urls: readonly (string | undefined)[],
): Promise<void> {
  const now = ctx.clock.now()
  const images = namedImages(urls)
  if (images.length === 0) return
  const options = { now, ...ctx.sources, keptUntil: sessionImagesKeptUntil(now) }
  countIgnored(ctx, tx, await keepImages(tx, storeId, images, options))
}

function countIgnored({ imageMetrics }: AppContext, tx: Transaction, count: number): void {
  if (count > 0) tx.afterCommit(() => imageMetrics.ignored.inc(count))
}
