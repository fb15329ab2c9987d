import type { MethodDefinition } from '@grpc/grpc-js'
import { decode, encode } from '@storekeep/proto/codec'
import {
  type MultiplexRequest,
  MultiplexRequestSchema,
  type MultiplexResponse,
  MultiplexResponseSchema,
  MultiplexService,
} from '@storekeep/proto/common/v1/multiplex_service'

/** The grpc-js definition of MultiplexService.Multiplex, the only streaming method. */
export const multiplexDefinition: MethodDefinition<MultiplexRequest, MultiplexResponse> = {
  path: `/${MultiplexService.typeName}/${MultiplexService.method.multiplex.name}`,
  requestStream: true,
  responseStream: true,
  originalName: 'multiplex',
  requestSerialize: (request) => encode(MultiplexRequestSchema, request),
  requestDeserialize: (bytes) => decode(MultiplexRequestSchema, bytes),
  responseSerialize: (response) => encode(MultiplexResponseSchema, response),
  responseDeserialize: (bytes) => decode(MultiplexResponseSchema, bytes),
}

/** Longest gRPC message, in bytes. */
export const maxMessageBytes = 8 * 1024 * 1024

/** Longest request or response of a call, in bytes. A longer one would break the stream and fail the other calls on it. */
export const maxCallBytes = maxMessageBytes - 1024

/**
 * Splits calls into messages of up to 1 MiB, far below `maxMessageBytes`. A larger call gets a message to itself.
 *
 * @param bytesOf size of a call in bytes
 */
export function chunkBySize<T>(calls: readonly T[], bytesOf: (call: T) => number): T[][] {
  const chunks: T[][] = [[]]
  let bytes = 0
  for (const call of calls) {
    bytes += bytesOf(call)
    if (bytes > chunkBytes && chunks.at(-1)?.length !== 0) {
      chunks.push([])
      bytes = bytesOf(call)
    }
    chunks.at(-1)?.push(call)
  }
  return chunks
}

const chunkBytes = 1024 * 1024
