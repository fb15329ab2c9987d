import { errors, violation } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { imageWidths } from '@storekeep/proto/conventions/image-address'
import type { AppContext, ImagesHandlers } from '../context.ts'
import { findCopy } from '../db/image-repository.ts'
import { isImageWidth } from '../domain/variant.ts'

/** A copy whose time has come is returned as it is, and fetched again in the background. */
export function getImage({ database, clock, refreshes, log, imageMetrics }: AppContext): ImagesHandlers['getImage'] {
  return async ({ key, width, knownEtag }, call) => {
    const image = { storeId: requireStore(call), key }
    if (!isImageWidth(width)) {
      throw errors.validationFailed([violation('width', 'enum', `must be one of ${imageWidths.join(', ')}`)])
    }
    const find = () => findCopy(database, image, { width, knownEtag, now: clock.now() })
    let copy = await find()
    if (copy?.etag === null) {
      await (copy.isDue ? refreshes.refresh(image) : refreshes.running(image))
      copy = await find()
    } else if (copy?.isDue) {
      refreshes.refresh(image).catch((error: unknown) => {
        log.warn({ err: error, target: key }, 'image could not be fetched again')
      })
    }
    imageMetrics.requests.inc({ outcome: copy === undefined ? 'unknown' : copy.etag === null ? 'no_copy' : 'copy' })
    if (!copy || copy.etag === null) throw errors.notFound('image')
    return { contentType: 'image/webp', etag: copy.etag, ...(copy.bytes && { image: copy.bytes }) }
  }
}
