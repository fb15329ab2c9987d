import { isWebAddress } from '@storekeep/common/values'
import { imageKey } from '@storekeep/proto/conventions/image-address'
import { webAddressLength } from '@storekeep/proto/conventions/limits'

/** An image that a record names. */
export interface NamedImage {
  key: string
  url: string
}

/** A record that names images. Ids are decimal strings. */
export interface RecordRef {
  storeId: string
  type: RecordType
  id: string
}

/** `customer`: its images are forgotten first when a store has too many. */
export type RecordType = 'product' | 'tag' | 'store' | 'customer'

/** The images at these addresses, each once. Absent and malformed addresses are omitted. */
export function namedImages(urls: readonly (string | undefined)[]): NamedImage[] {
  const valid = urls.filter((url) => url !== undefined && url.length <= webAddressLength && isWebAddress(url))
  return [...new Set(valid)].map((url = '') => ({ key: imageKey(url), url }))
}
