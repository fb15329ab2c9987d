import { setFlagsFromString } from 'node:v8'

/**
 * Stops V8 from allocating objects directly in the old generation. It does so at allocation sites where nearly all objects
 * survived for a while, which depends on the moment of a collection: often during the start, when many requests are in
 * flight. Later requests create objects at the same sites, and each keeps everything that it refers to until the next full
 * collection. Decision 0038.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
