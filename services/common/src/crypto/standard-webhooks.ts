import { createHmac } from 'node:crypto'

/**
 * The headers of the specification Standard Webhooks (https://www.standardwebhooks.com).
 * @param id of the event, the same for every attempt
 * @param timestamp of the attempt
 * @param secrets the valid ones: `whsec_` and the key in base64; each makes a signature
 */
export function signatureHeaders(
  id: string,
  timestamp: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const seconds = String(Math.floor(timestamp.getTime() / 1000))
  const content = `${id}.${seconds}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((secret) => `v1,${sign(content, secret)}`).join(' '),
  }
}

function sign(content: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(content).digest('base64')
}
