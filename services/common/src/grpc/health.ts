import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import * as grpc from '@grpc/grpc-js'

/**
 * grpc.health.v1.Health with `Check` of the whole server, which probes call. The protocol allows `Watch` to be
 * unimplemented. Its messages have one field each: reading them here avoids a second protobuf library in every process.
 */
export function createHealth(): Health {
  let isServing = false
  return {
    definition: { check: checkDefinition },
    implementation: {
      check: ({ request }: { request: CheckRequest }, respond: grpc.sendUnaryData<CheckResponse>) => {
        if (request.service === '') respond(null, { isServing })
        else respond({ code: grpc.status.NOT_FOUND, details: 'The health of single services is unknown.' })
      },
    },
    setServing(serving) {
      isServing = serving
    },
  }
}

const checkDefinition: grpc.MethodDefinition<CheckRequest, CheckResponse> = {
  path: '/grpc.health.v1.Health/Check',
  requestStream: false,
  responseStream: false,
  originalName: 'check',
  requestSerialize: () => Buffer.alloc(0),
  requestDeserialize: readRequest,
  responseSerialize: ({ isServing }) => Buffer.from([statusTag, isServing ? statuses.serving : statuses.notServing]),
  responseDeserialize: (bytes) => ({ isServing: bytes[1] === statuses.serving }),
}

const statusTag = 0x08
const statuses = { serving: 1, notServing: 2 } as const

function readRequest(bytes: Buffer): CheckRequest {
  const reader = new BinaryReader(bytes)
  let service = ''
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag()
    if (field === 1 && type === WireType.LengthDelimited) service = reader.string()
    else reader.skip(type)
  }
  return { service }
}

interface CheckRequest {
  service: string
}

interface CheckResponse {
  isServing: boolean
}

export interface Health {
  definition: grpc.ServiceDefinition
  implementation: grpc.UntypedServiceImplementation
  /** NOT_SERVING until this is called with true. */
  setServing(serving: boolean): void
}
