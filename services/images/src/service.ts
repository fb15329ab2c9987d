import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { ImagesService } from '@storekeep/proto/images/v1/images_service'
import { createContext } from './context.ts'
import { imageConsumers } from './events/consumers.ts'
import { getImage } from './handlers/get-image.ts'
import { deleteUnneededImages, measureImages } from './tasks/maintenance.ts'
import { prefetchImages } from './tasks/prefetch-images.ts'

export const images = defineService({
  name: 'images',
  nodeNumber: 11,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [bind(ImagesService, { getImage: getImage(ctx) })],
  consumers: imageConsumers,
  tasks: (ctx) => [prefetchImages(ctx), deleteUnneededImages(ctx), measureImages(ctx)],
  async close(ctx) {
    await ctx.refreshes.close()
    await ctx.fetcher.close()
  },
})
