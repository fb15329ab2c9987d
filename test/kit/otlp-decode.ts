import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** A span as a collector receives it. */
export interface ReceivedSpan {
  /** The name of the process. */
  service: string
  /** Identifies one of several processes of that name. */
  instance: string
  name: string
  kind: (typeof kinds)[number]
  traceId: string
  spanId: string
  /** Empty for the root of a trace. */
  parentId: string
  startMs: number
  endMs: number
  attributes: Record<string, string | number | boolean>
  failed: boolean
  eventCount: number
}

/** Decodes the parts of an OTLP ExportTraceServiceRequest that tests use. */
export function decodeSpans(body: Uint8Array): ReceivedSpan[] {
  return bytesOf(read(body), 1).flatMap((bytes) => {
    const resourceSpans = read(bytes)
    const resource = attributesOf(bytesOf(resourceSpans, 1).map(read)[0] ?? [], 1)
    return bytesOf(resourceSpans, 2).flatMap((scopeSpans) =>
      bytesOf(read(scopeSpans), 2).map((span) => decodeSpan(read(span), resource)),
    )
  })
}

function decodeSpan(span: Field[], resource: ReceivedSpan['attributes']): ReceivedSpan {
  const [status = []] = bytesOf(span, 15).map(read)
  return {
    service: String(resource['service.name']),
    instance: String(resource['service.instance.id']),
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentId: hexOf(span, 4),
    name: textOf(span, 5),
    kind: kinds[Number(numberOf(span, 6) ?? 0)] ?? 'unspecified',
    startMs: Number(numberOf(span, 7)) / 1e6,
    endMs: Number(numberOf(span, 8)) / 1e6,
    attributes: attributesOf(span, 9),
    eventCount: bytesOf(span, 11).length,
    failed: Number(numberOf(status, 3) ?? 0) === 2,
  }
}

function attributesOf(message: Field[], no: number): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    bytesOf(message, no).map((bytes) => {
      const pair = read(bytes)
      const [value = []] = bytesOf(pair, 2).map(read)
      const [first] = value
      if (first?.no === 1) return [textOf(pair, 1), textOf(value, 1)]
      return [textOf(pair, 1), first?.no === 2 ? first.value === 1n : Number(first?.value)]
    }),
  )
}

/** The fields of a message, undecoded. */
function read(bytes: Uint8Array): Field[] {
  const reader = new BinaryReader(bytes)
  const fields: Field[] = []
  while (reader.pos < reader.len) {
    const [no, type] = reader.tag()
    fields.push({ no, value: readValue(reader, type) })
  }
  return fields
}

function readValue(reader: BinaryReader, type: WireType): Field['value'] {
  switch (type) {
    case WireType.Varint:
      return BigInt(reader.uint64())
    case WireType.Bit64:
      return BigInt(reader.fixed64())
    case WireType.Bit32:
      return BigInt(reader.fixed32())
    case WireType.LengthDelimited:
      return reader.bytes()
    default:
      throw new Error(`A field of wire type ${type} is not part of OTLP.`)
  }
}

function bytesOf(message: Field[], no: number): Uint8Array[] {
  return message.flatMap((field) => (field.no === no && typeof field.value !== 'bigint' ? [field.value] : []))
}

function numberOf(message: Field[], no: number): bigint | undefined {
  const value = message.find((field) => field.no === no)?.value
  return typeof value === 'bigint' ? value : undefined
}

function textOf(message: Field[], no: number): string {
  return Buffer.from(bytesOf(message, no)[0] ?? []).toString('utf8')
}

function hexOf(message: Field[], no: number): string {
  return Buffer.from(bytesOf(message, no)[0] ?? []).toString('hex')
}

interface Field {
  no: number
  value: bigint | Uint8Array
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
