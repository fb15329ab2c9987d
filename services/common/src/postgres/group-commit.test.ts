import { expect, it } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

it('rows of callers that have left do not pile up while Postgres does not respond', async () => {
  const connecting: PromiseWithResolvers<never>[] = []
  const groups = createGroupCommit({
    max: 1,
    connect() {
      const one = Promise.withResolvers<never>()
      connecting.push(one)
      return one.promise
    },
  })
  const insert = (caller = {}) => groups.insert([{ table: 'thing', row: {} }], caller).catch((error: unknown) => error)
  const first = insert()
  await new Promise(setImmediate)
  const caller = new AbortController()
  const leaving = Array.from({ length: 200 }, () => insert(caller))
  void insert()
  caller.abort()
  connecting[0]?.reject(new Error('no connection'))
  expect(await first).toMatchObject({ message: 'no connection' })
  for (const error of await Promise.all(leaving)) expect(error).toMatchObject({ code: 'service-unavailable' })
  expect(connecting.length).toBe(2)
})
