import { type IncomingHttpHeaders, request } from 'node:http'
import { deriveCallKeys } from '@storekeep/common/crypto'
import type { Logger } from '@storekeep/common/log'
import { testCallSecret } from '@storekeep/common/testing'
import { readConfig } from '../src/config.ts'
import { start } from '../src/start.ts'

/**
 * Starts the pages behind a proxy, with a stopped clock.
 * @param settings the addresses of the services, and what differs from the defaults
 * @param log instead of none
 */
export async function startPages(settings: Record<string, string>, log?: Logger) {
  const time = { ms: 0 }
  const config = readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'fatal',
    CHECKOUT_BASE_URL: 'https://pay.example',
    PORTAL_BASE_URL: 'https://me.example',
    STORE_BASE_URL: 'https://shop.example/store',
    CHECKOUT_ADDRESS: '127.0.0.1:1',
    DELIVERY_ADDRESS: '127.0.0.1:1',
    IMAGES_ADDRESS: '127.0.0.1:1',
    CUSTOMERS_ADDRESS: '127.0.0.1:1',
    CUSTOM_VARIABLES_ADDRESS: '127.0.0.1:1',
    CALL_KEYS: deriveCallKeys(testCallSecret, 'pages'),
    TRUSTED_PROXIES: '127.0.0.0/8',
    REQUEST_TIMEOUT_MS: '15000',
    ...settings,
  })
  const running = await start(config, {
    clock: { now: () => new Date(0), monotonicMs: () => time.ms },
    ...(log && { log }),
  })
  const send = ({
    path,
    form,
    method = form === undefined ? 'GET' : 'POST',
    headers: more,
    from = '192.0.2.1',
    host = 'pay.example',
  }: Sent): Promise<Received> =>
    new Promise((resolve, reject) => {
      const headers = {
        host,
        origin: `https://${host}`,
        'x-forwarded-for': from,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...more,
      }
      request({ host: '127.0.0.1', port: running.port, path, method, headers }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text
        })
        response.once('end', () => {
          const { statusCode: status = 0, headers } = response
          const policy = headers['content-security-policy']?.toString() ?? ''
          resolve({
            status,
            retryAfter: headers['retry-after'],
            location: headers.location,
            formAction: /form-action ([^;]*)/.exec(policy)?.[1],
            headers,
            body,
          })
        })
      })
        .once('error', reject)
        .end(form)
    })
  const limited = async (policy: string) => {
    const text = await (await fetch(`http://127.0.0.1:${running.metricsPort}/metrics`)).text()
    return Number(new RegExp(`^rate_limited_requests_total\\{policy="${policy}".*\\} (\\d+)$`, 'm').exec(text)?.[1])
  }
  /** Sends a request of a program. `announced` is the declared length of the body, if longer than `body`. */
  const sendBytes = ({ path, headers, body, announced = body.length, from = '192.0.2.1' }: SentBytes) =>
    new Promise<{ status: number }>((resolve, reject) => {
      const all = { host: 'pay.example', 'x-forwarded-for': from, 'content-length': announced, ...headers }
      const req = request({ host: '127.0.0.1', port: running.port, path, method: 'POST', headers: all }, (response) => {
        response.resume()
        resolve({ status: response.statusCode ?? 0 })
      })
      req.once('error', reject)
      if (announced > body.length) req.write(body)
      else req.end(body)
    })
  return { send, sendBytes, limited, time, stop: running.stop }
}

interface SentBytes {
  path: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  announced?: number
  from?: string
}

export interface Sent {
  path: string
  /** The body of a form. */
  form?: string
  /** Default: POST with a form, otherwise GET. */
  method?: string
  headers?: Readonly<Record<string, string>>
  from?: string
  host?: string
}

interface Received {
  status: number
  retryAfter: string | undefined
  location: string | undefined
  /** The `form-action` of the content security policy. */
  formAction: string | undefined
  headers: IncomingHttpHeaders
  body: string
}
