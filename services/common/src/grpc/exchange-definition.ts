import { fromBinary, toBinary } from '@bufbuild/protobuf'
import type { MethodDefinition } from '@grpc/grpc-js'
import {
  type ExchangeRequest,
  ExchangeRequestSchema,
  type ExchangeResponse,
  ExchangeResponseSchema,
  ExchangeService,
} from '@storekeep/proto/common/v1/exchange_service'
import { asBuffer } from './adapter.ts'

/** The only streaming method there is, for grpc-js. */
export const exchangeDefinition: MethodDefinition<ExchangeRequest, ExchangeResponse> = {
  path: `/${ExchangeService.typeName}/${ExchangeService.method.exchange.name}`,
  requestStream: true,
  responseStream: true,
  originalName: 'exchange',
  requestSerialize: (request) => asBuffer(toBinary(ExchangeRequestSchema, request)),
  requestDeserialize: (bytes) => fromBinary(ExchangeRequestSchema, bytes),
  responseSerialize: (response) => asBuffer(toBinary(ExchangeResponseSchema, response)),
  responseDeserialize: (bytes) => fromBinary(ExchangeResponseSchema, bytes),
}

/** Longest message of any call, in bytes. */
export const maxMessageBytes = 8 * 1024 * 1024

/** Longest request or answer of a call. What is longer would break the stream, and with it the calls of others. */
export const maxCallBytes = maxMessageBytes - 1024

/** Splits calls into messages of up to 1 MiB, far below what a receiver takes; a larger call gets one to itself. */
export function chunkBySize<T>(calls: readonly T[], bytesOf: (call: T) => number): T[][] {
  const parcels: T[][] = [[]]
  let bytes = 0
  for (const call of calls) {
    bytes += bytesOf(call)
    if (bytes > parcelBytes && parcels.at(-1)?.length !== 0) {
      parcels.push([])
      bytes = bytesOf(call)
    }
    parcels.at(-1)?.push(call)
  }
  return parcels
}

const parcelBytes = 1024 * 1024
