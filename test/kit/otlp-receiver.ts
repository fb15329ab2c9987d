import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeSpans, type ReceivedSpan } from './otlp-decode.ts'

/** Starts a trace collector in the process of the test: receives spans over OTLP/HTTP and stores them. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const unanswered = new Set<ServerResponse>()
  let isStanding = false
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (isStanding) {
        unanswered.add(response)
        response.once('close', () => unanswered.delete(response))
        return
      }
      if (request.url === '/v1/traces') spans.push(...decodeSpans(Buffer.concat(chunks)))
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    standStill: () => {
      isStanding = true
    },
    goOn: () => {
      isStanding = false
      for (const response of unanswered) response.destroy()
    },
    unanswered: () => unanswered.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface OtlpReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  endpoint: string
  /** Everything received so far. */
  spans: ReceivedSpan[]
  /** Accepts requests without responding, until `goOn`. */
  standStill(): void
  goOn(): void
  /** The number of requests without a response. */
  unanswered(): number
  close(): Promise<void>
}
