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
