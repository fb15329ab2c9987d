import { expect } from 'vitest'
import type { Endpoint } from '../src/http/endpoint.ts'
import { pathsOf } from '../src/http/endpoint-routes.ts'
import { errorCodesOf } from '../src/openapi/error-codes.ts'
import { endpoints } from '../src/routes/index.ts'
import { serviceErrorSchema } from '../src/schemas/service-error.ts'
import type { HttpResponse } from './http-client.ts'

/** Fails the test unless the response is as the endpoint declares: status, code, and exactly the declared fields. */
export function expectDeclared(response: HttpResponse): void {
  if (response.method === 'HEAD' || response.method === 'OPTIONS') return
  const { status, body } = response
  const endpoint = endpointOf(response)
  if (status >= 400) expectError(response, endpoint)
  else if (status === 304) expect(endpoint?.success.hasEtag, describe(response)).toBe(true)
  else if (endpoint) {
    const { success } = endpoint
    expect(status, describe(response)).toBe(success.status)
    // Parsing drops unknown fields, so the two are equal only without such fields.
    expect(success.schema?.parse(body), describe(response)).toEqual(body)
  }
}

function expectError(response: HttpResponse, endpoint: Endpoint | undefined): void {
  expect(response.headers['content-type'], describe(response)).toBe('application/json')
  const error = serviceErrorSchema.parse(response.body)
  expect(error).toEqual(response.body)
  expect(error.status).toBe(response.status)
  if (endpoint) expect(errorCodesOf(endpoint), describe(response)).toContain(error.code)
  else expect(['not-found', 'method-not-allowed', 'bad-request']).toContain(error.code)
}

function endpointOf({ method, path }: HttpResponse): Endpoint | undefined {
  const [pathname = ''] = path.split('?')
  const candidates = endpoints.filter((endpoint) => pathsOf(endpoint).some((one) => pattern(one).test(pathname)))
  const literal = candidates.filter((endpoint) => !endpoint.path.endsWith('}'))
  const known = literal.length > 0 ? literal : candidates
  return known.find((endpoint) => endpoint.method === method.toLowerCase())
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}

function describe({ method, path, status, text }: HttpResponse): string {
  return `${method} ${path} returned ${status} ${text.slice(0, 300)}`
}
