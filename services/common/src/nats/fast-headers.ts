import { type Match, type MsgHdrs, MsgHdrsImpl } from '@nats-io/transport-node'

/**
 * Makes the NATS client decode the headers of received messages only when they are read. It decodes and checks all of them one by
 * one, which costs more than the rest of reading an event, and keeps a map and an array for each.
 *
 * Replaces the decoder that all connections use; the client has no setting for it. With a client that uses another decoder,
 * nothing changes but the speed.
 */
export function decodeHeadersFast(): void {
  MsgHdrsImpl.decode = (bytes) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
    // Anything else is a status.
    return text.startsWith(withoutStatus) ? (new ReceivedHeaders(text, bytes) as unknown as MsgHdrsImpl) : decode(bytes)
  }
}

const withoutStatus = 'NATS/1.0\r\n'
const decode = MsgHdrsImpl.decode

/** Finds a header in the text of all. Decodes them for everything else. */
class ReceivedHeaders implements MsgHdrs {
  readonly hasError = false
  readonly status = '0'
  readonly code = 0
  readonly description = ''
  readonly #text: string
  readonly #bytes: Uint8Array
  #decoded: MsgHdrsImpl | undefined

  constructor(text: string, bytes: Uint8Array) {
    this.#text = text
    this.#bytes = bytes
  }

  get(name: string, match?: Match): string {
    if (this.#decoded || match !== undefined) return this.#all().get(name, match as 'exact')
    const at = this.#text.indexOf(`\r\n${name}:`)
    if (at < 0) return ''
    const start = at + name.length + 3
    return this.#text.slice(start, this.#text.indexOf('\r\n', start)).trim()
  }

  [Symbol.iterator](): Iterator<[string, string[]]> {
    return this.#all()[Symbol.iterator]()
  }

  has(name: string, match?: Match): boolean {
    return this.#all().has(name, match)
  }

  keys(): string[] {
    return this.#all().keys()
  }

  values(name: string, match?: Match): string[] {
    return this.#all().values(name, match)
  }

  last(name: string, match?: Match): string {
    return this.#all().last(name, match as 'exact')
  }

  set(name: string, value: string, match?: Match): void {
    this.#all().set(name, value, match)
  }

  append(name: string, value: string, match?: Match): void {
    this.#all().append(name, value, match)
  }

  delete(name: string, match?: Match): void {
    this.#all().delete(name, match)
  }

  encode(): Uint8Array {
    return this.#all().encode()
  }

  #all(): MsgHdrsImpl {
    this.#decoded ??= decode(this.#bytes)
    return this.#decoded
  }
}
