import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeSpans, type ReceivedSpan } from './otlp-decode.ts'

/** Starts a trace collector in the process of the test: receives spans over OTLP/HTTP and stores them. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const open = new Set<ServerResponse>()
  let isPaused = false
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (isPaused) {
        open.add(response)
        response.once('close', () => open.delete(response))
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
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      for (const response of open) response.destroy()
    },
    pending: () => open.size,
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
  /** Accepts requests without responding, until `resume`. */
  pause(): void
  resume(): void
  /** The number of requests without a response. */
  pending(): number
  close(): Promise<void>
}
