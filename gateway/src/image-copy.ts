import { type ImageWidth, imageAddress } from '@storekeep/proto/conventions/image-address'
import type { GatewayContext } from './context.ts'

/**
 * The `image_url` of a record in responses to browsers: our copy of the image, so that shoppers contact no host that a store
 * chose. Management operations return the original address.
 *
 * @param url the address that the record holds; empty counts as absent
 */
export function imageCopyUrl(
  { config }: { config: Pick<GatewayContext['config'], 'pages'> },
  storeId: string,
  url: string | undefined,
  width: ImageWidth = 512,
): string | undefined {
  return url ? imageAddress(config.pages.checkoutBaseUrl, storeId, url, width) : undefined
}
