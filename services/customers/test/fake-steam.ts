import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Simulates Steam's OpenID 2.0 endpoint: signs assertions, and confirms each signature once. */
export async function startFakeSteam(): Promise<FakeSteam> {
  const key = randomBytes(32)
  const confirmed = new Set<string>()
  const server = createServer(async (request, response) => {
    if (fake.status !== 200) return response.writeHead(fake.status).end()
    const parameters = new URLSearchParams(await text(request))
    const signature = parameters.get('openid.sig') ?? ''
    const isFirst = fake.confirmsAgain || !confirmed.has(signature)
    const isValid =
      parameters.get('openid.mode') === 'check_authentication' && signature === signatureOf(parameters) && isFirst
    if (isValid) confirmed.add(signature)
    return response.end(`ns:http://specs.openid.net/auth/2.0\nis_valid:${isValid}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openid/login`

  function signatureOf(parameters: URLSearchParams): string {
    const fields = (parameters.get('openid.signed') ?? '').split(',')
    const signed = fields.map((field) => `${field}:${parameters.get(`openid.${field}`)}\n`).join('')
    return createHmac('sha256', key).update(signed).digest('base64')
  }

  const fake: FakeSteam = {
    endpoint,
    status: 200,
    confirmsAgain: false,
    approve(redirectUrl, steamId, { at, change = {} }) {
      const asked = new URL(redirectUrl).searchParams
      const parameters = new URLSearchParams({
        'openid.ns': 'http://specs.openid.net/auth/2.0',
        'openid.mode': 'id_res',
        'openid.op_endpoint': endpoint,
        'openid.claimed_id': new URL(`id/${steamId}`, endpoint).href,
        'openid.identity': new URL(`id/${steamId}`, endpoint).href,
        'openid.return_to': asked.get('openid.return_to') ?? '',
        'openid.response_nonce': `${at.toISOString().slice(0, 19)}Z${randomBytes(9).toString('base64')}`,
        'openid.assoc_handle': '1234567890',
        'openid.signed': 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle',
        ...change,
      })
      return { ...Object.fromEntries(parameters), 'openid.sig': signatureOf(parameters) }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake
}

export interface FakeSteam {
  /** The address for `STEAM_OPENID_URL`. */
  endpoint: string
  /** Of its responses. */
  status: number
  /** Whether it confirms a signature again, as a provider with a mistake would. */
  confirmsAgain: boolean
  /** @returns what the browser of a player who agreed brings back, signed; `change` before the signature */
  approve(redirectUrl: string, steamId: string, options: ApproveOptions): Record<string, string>
  close(): Promise<void>
}

interface ApproveOptions {
  at: Date
  change?: Readonly<Record<string, string>>
}
