import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createSecretsRecord, findLeaks, recordIssued } from './secrets.ts'

const directory = mkdtempSync(join(tmpdir(), 'storekeep-kit-'))
afterAll(() => rmSync(directory, { recursive: true }))

it('records the tokens of a response at any depth, but not metadata', () => {
  const record = createSecretsRecord(join(directory, 'secrets'))
  recordIssued(record, {
    token: 'one',
    nested: [{ customer_token: 'two' }],
    metadata: { token: 'three' },
    name: 'four',
  })
  record.add('key', 'five')
  expect(record.all().map(({ secret }) => secret)).toEqual(['one', 'two', 'five'])
})

it('finds a secret in a text and reports where without quoting it', () => {
  const secrets = [
    { kind: 'token', secret: 'skcus_abcdef' },
    { kind: 'key', secret: 'skapi_ghijkl' },
  ]
  const leaks = findLeaks(secrets, [
    { place: 'log a', text: 'first line\n{"message":"got skcus_abcdef"}' },
    { place: 'log b', text: 'nothing' },
  ])
  expect(leaks).toEqual(['token in log a, after: {"message":"got '])
})
