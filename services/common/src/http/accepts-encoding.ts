import type { IncomingMessage } from 'node:http'

/** Whether the client accepts a response with this encoding. */
export function acceptsEncoding({ headers }: IncomingMessage, encoding: 'br' | 'gzip'): boolean {
  const items = headers['accept-encoding']?.toString().split(',') ?? []
  return items.some((item) => {
    const [name = '', ...parameters] = item.toLowerCase().split(';')
    return name.trim() === encoding && !parameters.some((one) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(one))
  })
}
