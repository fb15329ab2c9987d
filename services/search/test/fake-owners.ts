import { createHash } from 'node:crypto'
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { errors } from '@storekeep/common/errors'
import type { Handlers } from '@storekeep/common/grpc'
import { type Env, useFakeService } from '@storekeep/common/testing'
import { ExportService } from '@storekeep/proto/common/v1/export_service'
import { ownerNames } from '../src/documents/mappers/record-types/index.ts'

/** A fake of all owning services, over real gRPC, with the records that a test puts into it. */
export function useFakeOwners(): FakeOwners {
  const records = new Map<string, OwnedRecord>()
  const behavior: Behavior = { isUnavailable: false, pageSize: 1000, afterRead: async () => {} }
  const handlers: Partial<Handlers<typeof ExportService>> = {
    exportRecords: async ({ aggregate, after, limit }) => {
      if (behavior.isUnavailable) throw errors.unavailable()
      const all = ordered(records, aggregate, after)
      const page = all.slice(0, Math.min(limit, behavior.pageSize))
      await behavior.afterRead(page.map(({ id }) => id))
      return { records: page, more: page.length < all.length }
    },
    sumRecords: async ({ aggregate, after, limit }) => {
      if (behavior.isUnavailable) throw errors.unavailable()
      const part = ordered(records, aggregate, after).slice(0, Math.min(limit, behavior.pageSize))
      const sums = [...Map.groupBy(part, ({ storeId }) => storeId)].map(([storeId, all]) => ({
        storeId,
        count: BigInt(all.length),
        checksum: all.reduce((sum, one) => sum ^ hashOf(one), 0n),
      }))
      const last = part.length === Math.min(limit, behavior.pageSize) ? part.at(-1) : undefined
      return { sums, ...(last && { last: { storeId: last.storeId, id: last.id } }) }
    },
  }
  const services = ownerNames.map((name) => [name, useFakeService(ExportService, handlers, name)] as const)
  return Object.assign(behavior, {
    addressSettings: () =>
      Object.fromEntries(
        services.map(([name, { address }]) => [`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`, address]),
      ),
    put<S extends DescMessage>(aggregate: string, schema: S, message: MessageInitShape<S>) {
      const { id, storeId, version } = message as unknown as Omit<OwnedRecord, 'aggregate'>
      records.set(`${aggregate} ${id}`, {
        aggregate,
        id,
        storeId,
        version,
        record: toBinary(schema, create(schema, message)),
      })
    },
    putBytes(aggregate: string, storeId: string, record: Uint8Array) {
      records.set('broken', { aggregate, id: '1', storeId, version: 1n, record })
    },
    removeBytes() {
      records.delete('broken')
    },
    remove(aggregate: string, id: string) {
      records.delete(`${aggregate} ${id}`)
    },
  })
}

interface Behavior {
  /** If true, every call fails. */
  isUnavailable: boolean
  /** Maximum number of records per page. */
  pageSize: number
  /** Runs after a page of an export was read and before it is returned. */
  afterRead(ids: readonly string[]): Promise<void>
}

export interface FakeOwners extends Behavior {
  /** The settings with their addresses; available once the tests run. */
  addressSettings(): Env
  /** Creates or replaces a record, which must have `id`, `storeId` and `version`. */
  put<S extends DescMessage>(aggregate: string, schema: S, message: MessageInitShape<S>): void
  /** Adds a record that cannot be decoded. */
  putBytes(aggregate: string, storeId: string, record: Uint8Array): void
  removeBytes(): void
  remove(aggregate: string, id: string): void
}

interface OwnedRecord {
  aggregate: string
  storeId: string
  id: string
  version: bigint
  record: Uint8Array
}

function ordered(
  records: ReadonlyMap<string, OwnedRecord>,
  aggregate: string,
  after: { storeId: string; id: string } = { storeId: '0', id: '0' },
): OwnedRecord[] {
  return [...records.values()].filter((one) => one.aggregate === aggregate && compare(one, after) > 0).sort(compare)
}

function compare(a: { storeId: string; id: string }, b: { storeId: string; id: string }): number {
  return Number(BigInt(a.storeId) - BigInt(b.storeId)) || Number(BigInt(a.id) - BigInt(b.id))
}

function hashOf({ id, version }: OwnedRecord): bigint {
  return createHash('md5').update(`${id} ${version}`).digest().readBigInt64BE()
}
