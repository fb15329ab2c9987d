import { type Client, Metadata, type ServiceError } from '@grpc/grpc-js'
import { type InputInit, methodDefinition, type Output, type UnaryService } from '../src/grpc/adapter.ts'
import type { CallOptions } from '../src/grpc/index.ts'

/**
 * Makes a unary call as any gRPC client does, without MultiplexService. Rejects with the error of grpc-js.
 * @param options no metadata is sent without them
 */
export function plainCall<M extends UnaryService['method'][string]>(
  client: Client,
  method: M,
  request: InputInit<M>,
  options?: CallOptions,
): Promise<Output<M>> {
  const { path, requestSerialize, responseDeserialize } = methodDefinition(method)
  const callOptions = options?.deadlineMs === undefined ? {} : { deadline: Date.now() + options.deadlineMs }
  return new Promise((resolve, reject) => {
    const end = (error: ServiceError | null, answer?: Output<M>) =>
      answer === undefined ? reject(error) : resolve(answer)
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadataOf(options), callOptions, end)
  })
}

function metadataOf(options: CallOptions | undefined): Metadata {
  const metadata = new Metadata()
  if (!options) return metadata
  const { requestId, traceparent, storeId, actor, idempotency } = options
  metadata.set('x-request-id', requestId)
  metadata.set('traceparent', traceparent)
  if (storeId !== undefined) metadata.set('x-store-id', storeId)
  if (actor) metadata.set('x-actor', `${actor.type}:${actor.id ?? ''}`)
  if (idempotency) {
    metadata.set('idempotency-key', idempotency.key)
    metadata.set('idempotency-scope', idempotency.scope)
  }
  return metadata
}
