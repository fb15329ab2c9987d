import { errorCodes, validationKinds } from '@storekeep/common/errors'
import { int32 } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

const validationErrorSchema = z
  .object({
    code: z.string().describe('Stable reason. Equals `validation` unless there is a more specific one.'),
    message: z.string().describe('What is wrong and what is expected, in English.'),
    path: z.string().describe('Dotted path of the field, such as `lines.0.quantity`; empty for the whole body.'),
    validation: z
      .enum(validationKinds)
      .meta({ id: 'ValidationKind', description: 'Kind of check.' })
      .describe('Kind of check that failed.'),
  })
  .meta({ id: 'ValidationError', description: 'One invalid field of the request.' })

export const serviceErrorSchema = z
  .object({
    status: int32(100, 599).describe('The HTTP status of the response.'),
    code: z
      .enum(errorCodes)
      .meta({ id: 'ErrorCode', description: 'Stable error code.' })
      .describe('Stable error code, for programs. The list is closed.'),
    message: z.string().describe('What went wrong, in English, for people. The text may change.'),
    trace_id: z.string().nullable().describe('W3C trace id of the request. Include it when you report a problem.'),
    errors: z
      .array(validationErrorSchema)
      .nullable()
      .describe('The invalid fields; null when the error is not about fields.'),
  })
  .meta({ id: 'ServiceError', description: 'Body of every response that is not a success.' })

export type ServiceError = z.infer<typeof serviceErrorSchema>
