import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findViolations } from './boundaries.ts'

describe('import boundaries', () => {
  let root: string

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'storekeep-boundaries-'))
  })

  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it.each([
    ['services/stores/src/a.ts', `import { x } from '../../customers/src/domain/x.ts'`, 'through its proto'],
    ['services/stores/src/a.ts', `import type { X } from '@storekeep/customers/start'`, 'through its proto'],
    ['services/stores/src/a.ts', `export * from '../../customers/src/x.ts'`, 'through its proto'],
    ['services/stores/src/a.ts', `const x = await import('@storekeep/customers/start')`, 'through its proto'],
    ['services/stores/src/a.ts', `import { app } from '../../../gateway/src/app.ts'`, 'imports the gateway'],
    ['services/common/src/a.ts', `import { x } from '../../stores/src/x.ts'`, 'knows no service'],
    ['gateway/src/a.ts', `import pg from 'pg'`, 'no database'],
    ['gateway/src/a.ts', `import { x } from '@storekeep/bans/x'`, 'no database'],
    ['gateway/src/a.ts', `import type { Database } from '@storekeep/common/postgres'`, 'no database'],
    ['gateway/src/a.ts', `import { createConsumer } from '@storekeep/common/events'`, 'no database'],
    ['gateway/src/a.ts', `import { connect } from '@nats-io/transport-node'`, 'no database'],
    ['services/stores/src/handlers/a.ts', `import sql from 'sql-template-tag'`, 'no SQL'],
    ['services/coupons/src/redemptions/handlers/a.ts', `import sql from 'sql-template-tag'`, 'no SQL'],
    ['services/coupons/src/redemptions/domain/a.ts', `import { x } from '../db/x.ts'`, 'no I/O'],
    ['services/coupons/src/redemptions/db/a.ts', `import { x } from '../events/x.ts'`, 'rows, not messages'],
    ['services/stores/src/domain/a.ts', `import { readFile } from 'node:fs/promises'`, 'no I/O'],
    ['services/stores/src/domain/a.ts', `import { Game } from '@storekeep/proto/stores/v1/store'`, 'no I/O'],
    ['services/stores/src/domain/a.ts', `import { insertStore } from '../db/store-repository.ts'`, 'no I/O'],
    ['services/stores/src/domain/a.ts', `import { x } from '../adapters/x.ts'`, 'no I/O'],
    ['services/stores/src/db/a.ts', `import { x } from '../events/x.ts'`, 'rows, not messages'],
    [
      'services/stores/src/db/a.ts',
      `import type { Store } from '@storekeep/proto/stores/v1/store'`,
      'rows, not messages',
    ],
    ['test/acceptance/a.test.ts', `import { start } from '@storekeep/gateway/start'`, 'HTTP only'],
    ['test/acceptance/a.test.ts', `import { x } from '../../services/stores/src/x.ts'`, 'HTTP only'],
  ])('%s: refuses %s', async (file, text, rule) => {
    write(file, `\n${text}\n`)
    const violations = await findViolations(root)
    expect(violations).toHaveLength(1)
    expect(violations[0]).toMatch(`${file}:2 imports `)
    expect(violations[0]).toMatch(rule)
  })

  it('lets through what is allowed', async () => {
    write('services/stores/src/handlers/a.ts', `import { insertStore } from '../db/store-repository.ts'`)
    write(
      'services/stores/src/b.ts',
      `import { Game } from '@storekeep/proto/stores/v1/store'\nimport { x } from './c.ts'`,
    )
    write(
      'services/stores/src/domain/a.ts',
      `import { errors } from '@storekeep/common/errors'\n// import pg from 'pg'`,
    )
    write('services/coupons/src/redemptions/domain/a.ts', `import type { X } from '../../coupons/domain/x.ts'`)
    write('services/coupons/src/redemptions/db/a.ts', `import type { X } from '../../coupons/domain/x.ts'`)
    write('services/stores/test/a.test.ts', `import { x } from '../../stores/src/x.ts'`)
    write(
      'gateway/src/a.ts',
      `import { createClient } from '@storekeep/common/grpc'\nconst text = "import pg from 'pg'"`,
    )
    write('test/acceptance/a.test.ts', `import { it } from 'vitest'\nimport { get } from '../kit/index.ts'`)
    expect(await findViolations(root)).toEqual([])
  })

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
})
