import type { ServerResponse } from 'node:http'
import { errors } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { type HttpMessage, RequestContext, readBody } from '@storekeep/common/http'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import type { Site } from '../config.ts'
import type { PagesContext } from '../context.ts'
import { chooseLanguage, type Language } from '../texts/language.ts'
import { chosenLanguage } from './chosen-language.ts'

/** The state of one request. */
export class SiteRequest extends RequestContext {
  declare params: Readonly<Record<string, string>>
  readonly language: Language
  readonly query: URLSearchParams
  /** Undefined if no site has this host and path. */
  site: Site | undefined = undefined
  /** Called by a program: errors are plain text. */
  isMachine = false
  /** Whether one of our pages submitted the form. */
  isOwnForm = false
  readonly #ctx: PagesContext
  #form: Promise<URLSearchParams> | undefined

  constructor(req: HttpMessage, res: ServerResponse, ctx: PagesContext) {
    super(req, res, ctx)
    this.#ctx = ctx
    this.actor = { type: ActorType.ANONYMOUS }
    this.language = chooseLanguage(req.headers['accept-language'], chosenLanguage(req.headers.cookie))
    this.query = new URLSearchParams((req.url ?? '').split('?', 2)[1])
  }

  /** Options for a call; the store as soon as it is known. */
  call(storeId?: string): CallOptions {
    this.storeId = storeId
    return this.callOptions()
  }

  /** The fields of a submitted form; at most 16 KiB. @throws ServiceFault `payload-too-large`, `bad-request` */
  form(): Promise<URLSearchParams> {
    this.#form ??= this.#readForm()
    return this.#form
  }

  /** The body, unchanged. @throws ServiceFault as `readBody` */
  bytes(limitBytes: number): Promise<Buffer> {
    return readBody(this.#ctx.bodies, this, { limitBytes })
  }

  async #readForm(): Promise<URLSearchParams> {
    const [type] = (this.req.headers['content-type'] ?? '').split(';')
    if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
      throw errors.badRequest('The body must be a submitted form.')
    }
    return new URLSearchParams((await this.bytes(maxFormBytes)).toString('utf8'))
  }
}

const maxFormBytes = 16 * 1024
