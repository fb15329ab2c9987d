import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { ImagesService } from '@storekeep/proto/images/v1/images_service'
import { createEncoder, type Encoder } from './adapters/encode-image.ts'
import { createFetcher, type Fetcher } from './adapters/fetch-image.ts'
import type { ImagesConfig } from './config.ts'
import { createRefreshes, type Refreshes } from './steps/refresh-image.ts'
import { createImageMetrics, type ImageMetrics } from './tasks/image-metrics.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  fetcher: Fetcher
  encoder: Encoder
  refreshes: Refreshes
  imageMetrics: ImageMetrics
  fetching: ImagesConfig['fetching']
  sources: ImagesConfig['sources']
}

/** The handlers of ImagesService, one per rpc. */
export type ImagesHandlers = Handlers<typeof ImagesService>

export function createContext(runtime: Runtime, { outgoing, fetching, sources }: ImagesConfig): AppContext {
  const { timeoutMs } = fetching
  const parts = {
    ...runtime,
    fetcher: createFetcher({ ...outgoing, timeoutMs, clock: runtime.clock }),
    encoder: createEncoder({ timeoutMs }),
    imageMetrics: createImageMetrics(runtime.metrics),
    fetching,
    sources,
  }
  return { ...parts, refreshes: createRefreshes(parts) }
}
