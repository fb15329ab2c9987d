import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { Actor } from '@storekeep/proto/common/v1/actor'
import { actorDto, actorDtoSchema, actorExample } from './actor.ts'
import { flakeId } from './fields.ts'
import { dateTime, printTime } from './times.ts'

/** The ids of a record in a response. */
export function idFields(noun: string) {
  return {
    id: flakeId.describe(`Id of the ${noun}.`),
    store_id: flakeId.describe(`Id of the store that the ${noun} belongs to.`),
  }
}

/** Who created and last changed a record, and when. */
export const auditFields = {
  created_by: actorDtoSchema.describe('Who created the record.'),
  created_at: dateTime.describe('When the record was created.'),
  updated_by: actorDtoSchema.nullable().describe('Who last changed the record; null if it never changed.'),
  updated_at: dateTime.nullable().describe('When the record last changed; null if it never changed.'),
}

/** @throws Error for a record without `createdAt`, which no service returns */
export function auditDto({ createdBy, createdAt, updatedBy, updatedAt }: Audited) {
  if (!createdAt) throw new Error('A service returned a record without created_at.')
  return {
    created_by: actorDto(createdBy),
    created_at: printTime(createdAt),
    updated_by: updatedBy ? actorDto(updatedBy) : null,
    updated_at: printTime(updatedAt),
  }
}

export const auditExample = {
  created_by: actorExample,
  created_at: '2026-11-20T14:35:17.000Z',
  updated_by: null,
  updated_at: null,
}

export const updateExample = { updated_by: actorExample, updated_at: '2026-11-20T15:02:41.120Z' }

interface Audited {
  createdBy?: Actor | undefined
  createdAt?: Timestamp | undefined
  updatedBy?: Actor | undefined
  updatedAt?: Timestamp | undefined
}
