import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import { publishEvent } from '@storekeep/common/events'
import {
  type Env,
  randomId,
  type TestService,
  until,
  useRelay,
  useService,
  withApiKey,
} from '@storekeep/common/testing'
import { file_storekeep_checkout_v1_events as events } from '@storekeep/proto/checkout/v1/events'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { imageKey } from '@storekeep/proto/conventions/image-address'
import { ImagesService } from '@storekeep/proto/images/v1/images_service'
import sql from 'sql-template-tag'
import { type ImagesConfig, readConfig } from '../src/config.ts'
import { images as service } from '../src/service.ts'

const settings: Env = {
  IMAGES_ALLOW_HTTP: 'true',
  IMAGES_ALLOWED_NETWORKS: '127.0.0.0/8',
  // Far longer than a request to this machine takes.
  IMAGES_TIMEOUT_MS: '60000',
}

/** See `useService`. Images are fetched when a call asks for them, unless `prefetchMs` is set. */
export function useImages({ maxPerStore = 20_000, prefetchMs = 3_600_000 } = {}): TestImages {
  const images = useService({
    service,
    definition: ImagesService,
    events,
    readConfig: (env) => {
      const config = readConfig(env)
      return { ...config, fetching: { ...config.fetching, prefetchMs }, sources: { maxPerStore, maintenanceMs: 50 } }
    },
    settings,
  })
  useRelay(images)
  return images
}

export type TestImages = TestService<ImagesConfig, typeof ImagesService>

/** Publishes an event of another service, and waits until it was applied. */
export async function publish<S extends DescMessage>(
  { database }: Pick<TestImages, 'database'>,
  { subject, storeId, id, version = 1n }: { subject: string; storeId: string; id: string; version?: bigint },
  schema: S,
  message: MessageInitShape<S>,
): Promise<void> {
  const [owner = '', aggregate = '', verb = ''] = subject.split('.')
  const head = { service: owner, aggregate, verb, aggregateId: id, aggregateVersion: version.toString(), storeId }
  await database.transaction((tx) => publishEvent(tx, { ...head, schema, message, traceparent: undefined }))
  await until(async () => {
    const waiting = await database.query(sql`
      select from outbox where aggregate_id = ${id} and not exists (
        select from consumed_event where event_id = outbox.event_id
      ) and not exists (
        select from consumed_version consumed
        where consumed.aggregate_id = outbox.aggregate_id and consumed.version >= outbox.aggregate_version
      )`)
    return waiting.length === 0 || undefined
  })
}

/** The copy of an image, as the pages ask for it. */
export async function getCopy({ client }: TestImages, storeId: string, url: string, width = 256, knownEtag?: string) {
  const request = { key: imageKey(url), width, ...(knownEtag !== undefined && { knownEtag }) }
  return await client.getImage(request, { ...withApiKey(storeId), actor: { type: ActorType.ANONYMOUS } })
}

export const newStore = randomId

/** How many images of a store are known. */
export async function countSources({ database }: TestImages, storeId: string): Promise<number> {
  const rows = await database.query(sql`select from image_source where store_id = ${storeId}`)
  return rows.length
}

/** How many copies of images of a store are stored. */
export async function countVariants({ database }: TestImages, storeId: string): Promise<number> {
  const rows = await database.query(sql`select from image_variant where store_id = ${storeId}`)
  return rows.length
}
