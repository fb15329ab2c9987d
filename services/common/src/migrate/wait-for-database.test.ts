import { describe, expect, it } from 'vitest'
import { createLogger } from '../log/index.ts'
import { waitForDatabase } from './wait-for-database.ts'

const log = createLogger({ service: 'stores', level: 'silent' })

describe('waiting for the database', () => {
  it('fails with an error that names the server and the reason, without the password', async () => {
    // Nothing listens on port 1.
    const failure = await waitForDatabase('postgres://storekeep:hunter2@127.0.0.1:1/storekeep', log, 0).catch(String)
    expect(failure).toBe('Error: The database at 127.0.0.1:1 does not accept connections.')
    const waited = waitForDatabase('postgres://storekeep:hunter2@127.0.0.1:1/storekeep', log, 0)
    await expect(waited).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  })
})
