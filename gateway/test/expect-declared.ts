import { expect } from 'vitest'
import type { Endpoint } from '../src/http/endpoint.ts'
import { errorCodesOf } from '../src/openapi/error-codes.ts'
import { endpoints } from '../src/routes/index.ts'
import { serviceErrorSchema } from '../src/schemas/service-error.ts'
import type { Answer } from './http-client.ts'

/** Fails the test when an answer is not what the endpoint declares: status, code, every member of the body, no other. */
export function expectDeclared(answer: Answer): void {
  if (answer.method === 'HEAD' || answer.method === 'OPTIONS') return
  const { status, body } = answer
  const endpoint = endpointOf(answer)
  if (status >= 400) expectError(answer, endpoint)
  else if (endpoint) {
    const { success } = endpoint
    expect(status, describe(answer)).toBe(success.status)
    // Parsing leaves out what the schema does not know, so that the two are equal only without such members.
    expect(success.schema?.parse(body), describe(answer)).toEqual(body)
  }
}

function expectError(answer: Answer, endpoint: Endpoint | undefined): void {
  expect(answer.headers['content-type'], describe(answer)).toBe('application/json')
  const error = serviceErrorSchema.parse(answer.body)
  expect(error).toEqual(answer.body)
  expect(error.status).toBe(answer.status)
  if (endpoint) expect(errorCodesOf(endpoint), describe(answer)).toContain(error.code)
  else expect(['not-found', 'method-not-allowed', 'bad-request']).toContain(error.code)
}

function endpointOf({ method, path }: Answer): Endpoint | undefined {
  const [pathname = ''] = path.split('?')
  const candidates = endpoints.filter((endpoint) => pattern(endpoint.path).test(pathname))
  const literal = candidates.filter((endpoint) => !endpoint.path.endsWith('}'))
  const known = literal.length > 0 ? literal : candidates
  return known.find((endpoint) => endpoint.method === method.toLowerCase())
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}

function describe({ method, path, status, text }: Answer): string {
  return `${method} ${path} answered ${status} ${text.slice(0, 300)}`
}
