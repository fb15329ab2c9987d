import type { Message } from '@bufbuild/protobuf'
import type { GenMessage } from '@bufbuild/protobuf/codegenv2'
import type { Actor } from '@storekeep/proto/common/v1/actor'
import { z } from 'zod'
import { actorDto, actorDtoSchema, actorExample } from '../schemas/actor.ts'
import { dateTime } from '../schemas/times.ts'

/** An event type that webhook endpoints can receive. */
export interface EventType<Type extends string = string> {
  /** `<record>.<verb>`, such as `ban.created`. */
  type: Type
  /** The message on the bus. */
  message: GenMessage<Message>
  description: string
  /** Schema of the payload. */
  payload: ReturnType<typeof payloadSchema>
  example: EventPayload
  /** The `data` of the payload. @param message of the type `message` */
  dataOf(message: Message, storeId: string): unknown
}

export interface EventPayload {
  type: string
  /** Time of the change. */
  timestamp: string
  data: unknown
}

/**
 * Declares an event type.
 * @param definition `description` is a sentence; `data` maps the message to the record of the API, with the mapper of
 *   the routes
 */
export function defineEvent<Type extends string, M extends Message, Data extends object>(
  type: Type,
  message: GenMessage<M>,
  definition: {
    description: string
    schema: z.ZodType<unknown, Data>
    example: NoInfer<Data>
    data: (message: M, storeId: string) => NoInfer<Data>
  },
): EventType<Type> {
  const { description, schema, example, data } = definition
  return {
    type,
    message,
    description,
    payload: payloadSchema(type, description, schema),
    example: { type, timestamp: '2026-11-20T14:35:17.000Z', data: example },
    dataOf: (value, storeId) => {
      if (!isOf(message, value)) throw new Error(`${value.$typeName} is not the message of ${type}.`)
      return data(value, storeId)
    },
  }
}

/** Declares the types `created`, `updated` and `deleted` of a record. */
export function defineRecordEvents<
  Name extends string,
  Created extends Message,
  Updated extends Message,
  Deleted extends Message & { deletedBy?: Actor | undefined },
  Data extends object,
>(
  name: Name,
  definition: {
    /** Singular with an article: `A ban`. */
    noun: string
    messages: [created: GenMessage<Created>, updated: GenMessage<Updated>, deleted: GenMessage<Deleted>]
    schema: z.ZodType<unknown, Data>
    example: NoInfer<Data>
    data: (message: Created | Updated | Deleted) => NoInfer<Data>
  },
) {
  const { noun, messages, schema, example, data } = definition
  const [created, updated, deleted] = messages
  const deletion = { deleted_by: actorDtoSchema.describe('Who deleted the record.') }
  return [
    defineEvent(`${name}.created`, created, { description: `${noun} was created.`, schema, example, data }),
    defineEvent(`${name}.updated`, updated, { description: `${noun} was changed.`, schema, example, data }),
    defineEvent(`${name}.deleted`, deleted, {
      description: `${noun} was deleted. \`data\` is its last state.`,
      schema: recordWith(`${name}.deleted`, schema, deletion, `${noun} that was deleted, in its last state.`),
      example: { ...example, deleted_by: actorExample },
      data: (message) => ({ ...data(message), deleted_by: actorDto(message.deletedBy) }),
    }),
  ] as const
}

/** The schema of a record with additional fields that only events of one type have. */
export function recordWith<Data extends object, Extra extends z.ZodRawShape>(
  type: string,
  record: z.ZodType<unknown, Data>,
  extra: Extra,
  description: string,
) {
  return z.intersection(record, z.object(extra)).meta({ id: `${pascalCase(type)}EventData`, description })
}

/** The schema of the payload of an event type. Its component is named after the type: `BanCreatedEvent`. */
export function payloadSchema(type: string, description: string, data: z.ZodType) {
  return z
    .object({
      type: z.literal(type).describe('Type of the event.'),
      timestamp: dateTime.describe('When the change happened.'),
      data: data.describe('The record after the change.'),
    })
    .meta({ id: `${pascalCase(type)}Event`, description })
}

function isOf<M extends Message>(schema: GenMessage<M>, message: Message): message is M {
  return message.$typeName === schema.typeName
}

/** `ban.created` becomes `BanCreated`. */
function pascalCase(type: string): string {
  return type.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())
}
