import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

/**
 * Starts a DNS server like the one in Kubernetes for headless Services: it resolves a name to the addresses of the listed
 * replicas, with a TTL of 0.
 */
export async function startNameServer(): Promise<NameServer> {
  const lists = new Map<string, Set<string>>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const response = responseTo(query, (name) => lists.get(name))
    if (response) socket.send(response, port, address)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(0, '127.0.0.1', resolve)
  })
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    list(name, host) {
      const hosts = lists.get(name) ?? new Set()
      lists.set(name, hosts.add(host))
    },
    unlist: (name, host) => void lists.get(name)?.delete(host),
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

/** RFC 1035, section 4: header, question, and one record for each address. */
function responseTo(query: Buffer, listOf: (name: string) => ReadonlySet<string> | undefined): Buffer | undefined {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const questionEnd = at + 5
  if (query.length < questionEnd) return undefined
  const isForAddresses = query.readUInt16BE(at + 1) === typeA
  const hosts = listOf(labels.join('.').toLowerCase())
  const answers = hosts && isForAddresses ? [...hosts] : []
  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(hosts ? success : nameError, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  return Buffer.concat([header, query.subarray(headerBytes, questionEnd), ...answers.map(addressRecord)])
}

function addressRecord(host: string): Buffer {
  const record = Buffer.alloc(16)
  // A pointer to the name in the question.
  record.writeUInt16BE(0xc000 | headerBytes, 0)
  record.writeUInt16BE(typeA, 2)
  record.writeUInt16BE(classInternet, 4)
  // The time to live, at 6, stays 0.
  record.writeUInt16BE(4, 10)
  for (const [index, part] of host.split('.').entries()) record[12 + index] = Number(part)
  return record
}

const headerBytes = 12
const typeA = 1
const classInternet = 1
/** An authoritative response. */
const success = 0x8400
const nameError = 0x8403

export interface NameServer {
  /** host:port */
  readonly address: string
  list(name: string, host: string): void
  unlist(name: string, host: string): void
  stop(): Promise<void>
}
