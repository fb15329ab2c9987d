import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { checkBoundaries, checkedFolders } from './boundaries.ts'

const common = join(paths.root, 'services/common')
/** The folders of common from the ground up, as the picture in its README shows them. */
const commonFloors = (/```\n(.*)```/s.exec(readFileSync(join(common, 'README.md'), 'utf8'))?.[1] ?? '')
  .trim()
  .split('\n')
  .reverse()
  .flatMap((row) => row.split(/ +/))

/** Files with one forbidden import each, and the rule that must report it. */
const planted: [rule: string, file: string, imported: string][] = [
  ['imports-lead-down', 'proto/records/src/to-common.ts', '../../../services/common/src/errors/index.ts'],
  ['imports-lead-down', 'services/common/src/values/to-service.ts', '../../../stores/src/main.ts'],
  ...commonFloors.slice(1).map((above, index): [string, string, string] => {
    return ['imports-lead-down', `services/common/src/${commonFloors[index]}/to-${above}.ts`, `../${above}/index.ts`]
  }),
  ['imports-lead-down', 'services/common/src/postgres/to-package.ts', '@storekeep/common/write'],
  ['imports-lead-down', 'services/common/src/page/to-postgres.test.ts', '../postgres/index.ts'],
  ['imports-lead-down', 'services/stores/src/to-gateway.ts', '../../../gateway/src/main.ts'],
  ['imports-lead-down', 'services/stores/test/to-deploy.ts', '../../../deploy/local/src/paths.ts'],
  ['imports-lead-down', 'gateway/sdk/to-deploy.ts', '../../deploy/local/src/paths.ts'],
  ['imports-lead-down', 'deploy/local/src/to-helm.ts', '../../../helm/build/build-chart.ts'],
  ['imports-lead-down', 'helm/build/to-test.ts', '../../test/kit/index.ts'],
  [
    'imports-lead-down',
    'services/coupons/src/coupons/domain/to-redemptions.ts',
    '../../redemptions/domain/redemption.ts',
  ],
  ['resources-have-a-floor', 'services/coupons/src/coupons/domain/to-unlisted-folder.ts', '../../gifts/domain/gift.ts'],
  ['common-folders-have-a-floor', 'services/common/src/errors/to-unlisted-folder.ts', '../helpers/index.ts'],
  ['services-talk-through-protos', 'services/stores/src/to-file.ts', '../../customers/src/main.ts'],
  ['services-talk-through-protos', 'services/stores/src/to-package.ts', '@storekeep/customers/start'],
  ['services-talk-through-protos', 'services/stores/test/to-file.ts', '../../customers/src/main.ts'],
  ['services-talk-through-protos', 'services/webhooks/src/to-gateway.ts', '@storekeep/gateway/start'],
  ['only-webhooks-render-public-records', 'services/stores/src/to-events.ts', '@storekeep/records/events/event-types'],
  ['records-know-no-server', 'proto/records/src/to-express.ts', 'express'],
  ['pages-have-no-database', 'services/pages/src/to-pool.ts', '@storekeep/common/postgres'],
  ['gateway-has-no-database', 'gateway/src/to-pg.ts', 'pg'],
  ['gateway-has-no-database', 'gateway/src/to-nats.ts', '@nats-io/transport-node'],
  ['gateway-has-no-database', 'gateway/src/to-pool.ts', '@storekeep/common/postgres'],
  ['gateway-has-no-database', 'gateway/src/to-events.ts', '@storekeep/common/events'],
  ['gateway-has-no-database', 'gateway/src/to-service.ts', '@storekeep/bans/start'],
  ['services-have-one-shape', 'services/stores/src/to-loose-file.ts', './helper.ts'],
  ['services-have-one-shape', 'services/coupons/src/to-unknown-layer.ts', './redemptions/ledger/room.ts'],
  ['handlers-are-rpcs', 'services/stores/src/handlers/to-handler.ts', './get-store.ts'],
  ['handlers-are-rpcs', 'services/stores/src/steps/to-handler.ts', '../handlers/get-store.ts'],
  ['handlers-have-no-sql', 'services/stores/src/handlers/to-sql.ts', 'sql-template-tag'],
  ['handlers-have-no-sql', 'services/coupons/src/redemptions/handlers/to-sql.ts', 'sql-template-tag'],
  ['domain-imports-only-pure-code', 'services/stores/src/domain/to-proto.ts', '@storekeep/proto/stores/v1/store'],
  ['domain-imports-only-pure-code', 'services/stores/src/domain/to-file-system.ts', 'node:fs/promises'],
  ['domain-imports-only-pure-code', 'services/stores/src/domain/to-db.ts', '../db/rows.ts'],
  ['domain-imports-only-pure-code', 'services/coupons/src/redemptions/domain/to-db.ts', '../db/rows.ts'],
  ['domain-reaches-no-io', 'services/stores/src/domain/to-file-system.ts', 'node:fs/promises'],
  ['domain-reaches-no-io', 'services/stores/src/domain/to-db.ts', '../db/rows.ts'],
  ['domain-reaches-no-io', 'services/stores/src/domain/through-common.ts', '@storekeep/common/page'],
  ['db-knows-rows-not-messages', 'services/stores/src/db/to-proto.ts', '@storekeep/proto/stores/v1/store'],
  ['db-knows-rows-not-messages', 'services/stores/src/db/to-events.ts', '../events/publish.ts'],
  ['db-knows-rows-not-messages', 'services/coupons/src/redemptions/db/to-events.ts', '../events/publish.ts'],
  ['acceptance-tests-speak-http', 'test/acceptance/to-service.test.ts', '../../services/stores/src/main.ts'],
  ['acceptance-tests-speak-http', 'test/acceptance/to-gateway.test.ts', '@storekeep/gateway/start'],
  ['no-cycles', 'services/stores/src/steps/cycle-a.ts', './cycle-b.ts'],
]

const allowed: [file: string, text: string][] = [
  ['test/kit/index.ts', `import '../../helm/build/build-chart.ts'\nimport '../../services/stores/src/main.ts'`],
  ['helm/build/build-chart.ts', `import '../../deploy/local/src/paths.ts'`],
  ['deploy/local/src/paths.ts', `import '../../../gateway/src/main.ts'`],
  ['services/stores/src/main.ts', `import '@storekeep/proto/stores/v1/store'`],
  ['services/stores/src/handlers/get-store.ts', `import '../db/rows.ts'\nimport '@storekeep/common/postgres'`],
  ['services/stores/src/handlers/index.ts', `import './get-store.ts'`],
  ['services/stores/src/helper.ts', ''],
  ['services/coupons/src/redemptions/ledger/room.ts', ''],
  ['services/stores/src/domain/store.ts', `import '@storekeep/common/errors'\n// import 'pg'`],
  ['services/stores/src/domain/store.test.ts', `import 'vitest'`],
  ['services/stores/src/db/rows.ts', `import 'pg'\nimport '../domain/store.ts'`],
  ['services/stores/src/events/publish.ts', ''],
  ['services/stores/src/steps/cycle-b.ts', `import type {} from './cycle-a.ts'`],
  ['services/coupons/src/redemptions/db/rows.ts', `import '../../coupons/domain/coupon.ts'`],
  ['services/coupons/src/redemptions/domain/redemption.ts', `import '../../coupons/domain/coupon.ts'`],
  ['services/coupons/src/redemptions/events/publish.ts', ''],
  ['services/coupons/src/coupons/domain/coupon.ts', ''],
  ['services/coupons/src/coupons/handlers/delete-coupon.ts', `import '../../redemptions/domain/redemption.ts'`],
  ['services/coupons/src/coupons/events/on-gift-sent.ts', `import '../../redemptions/domain/redemption.ts'`],
  ['services/coupons/src/gifts/domain/gift.ts', ''],
  ['services/customers/src/main.ts', ''],
  ['gateway/src/main.ts', `import '@storekeep/common/errors'\nexport const text = "import pg from 'pg'"`],
  ['gateway/src/http/server.ts', ''],
  ['proto/records/src/events/event-types.ts', ''],
  ['services/webhooks/src/main.ts', `import '@storekeep/records/events/event-types'`],
  ['test/acceptance/requests.test.ts', `import 'vitest'`],
  ...commonFloors.map((folder, index): [string, string] => {
    const below = commonFloors.slice(0, index).map((other) => `import '../${other}/index.ts'`)
    return [`services/common/src/${folder}/index.ts`, below.join('\n')]
  }),
  ['services/common/src/helpers/index.ts', ''],
  // A pure module of common that imports I/O.
  ['services/common/src/page/index.ts', `import '../../internal/cache.ts'`],
  ['services/common/internal/cache.ts', `import '@redis/client'`],
]

describe('the boundary check', () => {
  let root: string
  let report: string

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'storekeep-boundaries-'))
    for (const folder of [...checkedFolders, 'node_modules']) mkdirSync(join(root, folder), { recursive: true })
    write('services/common/package.json', JSON.stringify({ exports: { './*': './src/*/index.ts' } }))
    mkdirSync(join(root, 'node_modules/@storekeep'))
    symlinkSync(join(root, 'services/common'), join(root, 'node_modules/@storekeep/common'))
    for (const [file, text] of allowed) write(file, `${text}\n`)
    for (const [, file, imported] of planted) write(file, `import type {} from '${imported}'\n`)
    report = await checkBoundaries(root).then(
      () => '',
      (error: SetupError) => error.logLines.join('\n'),
    )
  }, 120_000)

  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it.each(planted)('%s: reports %s, which imports %s', (rule, file) => {
    expect(report).toContain(`error ${rule}: ${file} → `)
  })

  it('knows every folder of common', () => {
    expect(commonFloors.toSorted()).toEqual(readdirSync(join(common, 'src')))
  })

  it('reports nothing else', () => {
    const reported = [...report.matchAll(/error (\S+: \S+) →/g)].map(([, violation]) => violation)
    expect(reported.sort()).toEqual(planted.map(([rule, file]) => `${rule}: ${file}`).sort())
  })

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
})
