import { type Exported, exported } from '@storekeep/common/exports'
import { BanSchema } from '@storekeep/proto/bans/v1/ban'
import sql from 'sql-template-tag'
import type { AppContext } from './context.ts'
import { type BanRow, banColumns } from './db/schema.ts'
import { banToProto } from './mappers.ts'

/** All bans, for services that keep copies. */
export function exportedBans({ clock }: AppContext): Exported {
  return exported({
    aggregate: 'ban',
    source: sql`ban`,
    columns: banColumns,
    schema: BanSchema,
    toMessage: (row: BanRow) => banToProto(row, clock.now()),
  })
}
