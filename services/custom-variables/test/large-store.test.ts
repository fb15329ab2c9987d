import { plansOf, randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { findCustomVariables, selectCustomVariables } from '../src/db/custom-variable-repository.ts'
import { useCustomVariables } from './harness.ts'

const variables = useCustomVariables()
// As many rows as one statement inserts within its 3 s on a slow machine, too.
const stores = Array.from({ length: 40 }, () => randomId())
const [storeId = ''] = stores

beforeAll(async () => {
  const { database } = variables
  await database.query(sql`
    insert into custom_variable (store_id, identifier, name, description, type, created_by, created_at)
    select store, n::text, n::text, '', 'dropdown', 'internal', now()
    from unnest(${stores}::bigint[]) store cross join generate_series(1, 200) n`)
  await database.query(sql`
    insert into custom_variable_option (
      store_id, custom_variable_id, name, value, price, price_type, is_default, sort_order
    )
    select store_id, id, n::text, n::text, 0, 'fixed', false, n from custom_variable cross join generate_series(0, 2) n`)
  await database.query(sql`analyze custom_variable, custom_variable_option`)
})

describe('among many stores', () => {
  it('a list with all options is one statement, and reads no table as a whole', async () => {
    const plans = await plansOf(variables.database, (db) => selectCustomVariables(db, storeId))
    expect(plans).toHaveLength(1)
    expect(plans[0]).toMatch(/Index/)
    expect(plans[0]).not.toContain('Seq Scan')
    expect(await selectCustomVariables(variables.database, storeId)).toHaveLength(200)
  })

  it('all variables of a checkout are one statement, which reads no table as a whole', async () => {
    const ids = (await selectCustomVariables(variables.database, storeId)).slice(0, 50).map(({ id }) => id)
    const plans = await plansOf(variables.database, (db) => findCustomVariables(db, storeId, ids))
    expect(plans).toHaveLength(1)
    expect(plans[0]).not.toContain('Seq Scan')
    expect(await findCustomVariables(variables.database, storeId, ids)).toHaveLength(50)
  })
})
