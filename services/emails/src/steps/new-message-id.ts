import type { AppContext } from '../context.ts'
import { domainOf } from '../domain/sender.ts'

/** A Message-ID of the sender's domain (RFC 5322, 3.6.4). Random, because it is public and must not reveal ids. */
export function newMessageId({ randomBytes }: Pick<AppContext, 'randomBytes'>, from: string): string {
  return `<${randomBytes(16).toString('hex')}@${domainOf(from)}>`
}
