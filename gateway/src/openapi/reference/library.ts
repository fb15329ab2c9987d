import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Handler } from '@storekeep/common/http'
import { httpFaults } from '../../errors/http-faults.ts'
import type { GatewayRequest } from '../../http/gateway-request.ts'
import { staticContent } from '../../http/static-content.ts'

/**
 * The browser files of Scalar: an entry, and chunks that it loads when they are needed. Their paths have the version of the
 * package, so browsers may keep them forever.
 */
const require = createRequire(import.meta.url)
const folder = dirname(require.resolve('@scalar/api-reference/style.css'))
const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'))

/** The path of the entry. */
export const entryPath = `/docs/scalar-${version}/standalone.esm.js`

/** The path of all files. */
export const libraryPath = `/docs/scalar-${version}/*file`

export function serveLibrary(): Handler<GatewayRequest> {
  const browser = join(folder, 'browser')
  const files = new Map(
    readdirSync(browser, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, staticContent(() => readFile(join(browser, name)), headers)]),
  )
  return (request) => {
    const { file } = request.params
    const serve = files.get(Array.isArray(file) ? file.join('/') : '')
    if (!serve) throw httpFaults.routeNotFound()
    return serve(request)
  }
}

const headers = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
}
