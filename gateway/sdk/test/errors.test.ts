import { httpStatuses } from '@storekeep/common/http'
import { describe, expect, it } from 'vitest'
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  StorekeepError,
  UnexpectedResponseError,
} from '../src/index.ts'
import { collect, cutOff, fault, json, type Reply, reset, startServer } from './scripted-server.ts'

const once = { maxRetries: 0 }

async function failureOf(reply: Reply): Promise<unknown> {
  const server = await startServer(reply)
  return server
    .storekeep(once)
    .customers.get('1')
    .then(String, (error: unknown) => error)
}

const classes: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  405: ApiError,
  409: ConflictError,
  413: ApiError,
  415: ApiError,
  422: IdempotencyError,
  429: RateLimitError,
  500: ServerError,
  503: ServerError,
}

describe('an error response', () => {
  it.each(Object.entries(httpStatuses))('with the code %s becomes the class of its status', async (code, status) => {
    const error = await failureOf(fault(status, code, { 'retry-after': '7' }))
    expect(error).toBeInstanceOf(StorekeepError)
    expect(Object.getPrototypeOf(error)).toBe(classes[status]?.prototype)
    expect(error).toMatchObject({
      name: classes[status]?.name,
      message: `Message of ${code}.`,
      status,
      code,
      requestId: 'req-1',
      traceId: 'a'.repeat(32),
      violations: [],
      retryAfterSeconds: 7,
    })
  })

  it('names the invalid fields', async () => {
    const violation = { code: 'max', message: 'must be at most 1000', path: 'lines.0.quantity', validation: 'max' }
    const error = await failureOf(fault(400, 'validation-failed', {}, [violation]))
    expect(error).toMatchObject({
      violations: [violation],
      message: 'Message of validation-failed.\nlines.0.quantity: must be at most 1000',
    })
  })

  it.each(['', ' (and 1 more)'])('names a field once if the message names it, followed by "%s"', async (end) => {
    const violations = ['steam_id', 'name'].map((path) => ({
      code: 'x',
      message: 'is wrong',
      path,
      validation: 'format',
    }))
    const message = `steam_id: is wrong${end}`
    const body = JSON.stringify({ code: 'validation-failed', message, errors: violations, trace_id: null })
    const error = await failureOf((res) => void res.writeHead(400).end(body))
    expect(error).toMatchObject({ message: 'steam_id: is wrong\nname: is wrong' })
  })

  it.each([
    ['HTML', '<html>Bad gateway</html>'],
    ['other JSON', '{"error": "bad gateway"}'],
    ['null', 'null'],
    ['nothing', ''],
  ])('of a proxy with %s as its body keeps its status', async (_name, body) => {
    const error = await failureOf((res) => void res.writeHead(502, { 'x-request-id': 'p-1' }).end(body))
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({
      message: 'Unexpected response with status 502',
      status: 502,
      code: 'unexpected-response',
      requestId: 'p-1',
      violations: [],
    })
  })
})

describe('no usable response', () => {
  it.each([
    ['reset', reset],
    ['cut off', cutOff],
  ])('is a ConnectionError with its cause when the connection is %s', async (_name, reply) => {
    const error = await failureOf(reply)
    expect(error).toBeInstanceOf(ConnectionError)
    expect((error as Error).cause).toBeInstanceOf(Error)
  })

  it('is an UnexpectedResponseError when a success is not JSON', async () => {
    const error = await failureOf((res) => void res.end('<html>Welcome</html>'))
    expect(error).toBeInstanceOf(UnexpectedResponseError)
    expect(error).toMatchObject({ status: 200 })
  })

  it('is an UnexpectedResponseError when a list is not one', async () => {
    const server = await startServer(json(200, { id: '1' }))
    await expect(server.storekeep().customers.list()).rejects.toThrow(UnexpectedResponseError)
  })

  it('follows a redirect, which would send the API key elsewhere', async () => {
    const other = await startServer(json(200, { id: '1' }))
    const error = await failureOf((res) => void res.writeHead(307, { location: `${other.baseUrl}/elsewhere` }).end())
    expect(error).toMatchObject({ status: 307, code: 'unexpected-response' })
    expect(other.requests).toHaveLength(0)
  })
})

describe('a rejected call', () => {
  it('causes one unhandled rejection if it is not awaited, and none if it is handled', async () => {
    const server = await startServer(fault(404, 'not-found'))
    const { customers } = server.storekeep(once)
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', note)
    try {
      await expect(customers.get('1')).rejects.toThrow(NotFoundError)
      await expect(customers.get('1').withResponse()).rejects.toThrow(NotFoundError)
      await expect(customers.list()).rejects.toThrow(NotFoundError)
      await expect(customers.list().withResponse()).rejects.toThrow(NotFoundError)
      await expect(collect(customers.list())).rejects.toThrow(NotFoundError)
      await new Promise((resolve) => setImmediate(resolve))
      expect(unhandled).toEqual([])
      // Negative control: the process reports an unhandled call.
      customers.get('1')
      await expect.poll(() => unhandled.length).toBe(1)
    } finally {
      process.off('unhandledRejection', note)
      for (const listener of others) process.on('unhandledRejection', listener)
    }
  })
})
