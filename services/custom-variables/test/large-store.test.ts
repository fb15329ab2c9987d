import { plansOf, randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { findCustomVariables, selectCustomVariables } from '../src/db/custom-variable-repository.ts'
import { insertVariables, useCustomVariables } from './harness.ts'

const variables = useCustomVariables()
const stores = Array.from({ length: 20 }, () => randomId())
const [storeId = ''] = stores

beforeAll(async () => {
  const { database } = variables
  for (const store of stores) await insertVariables(database, store, { dropdowns: 200, optionsEach: 3 })
  await database.query(sql`analyze custom_variable, custom_variable_option`)
})

describe('in a large database', () => {
  it('lists a store with one statement and no sequential scan', async () => {
    const plans = await plansOf(variables.database, (db) => selectCustomVariables(db, storeId))
    expect(plans).toHaveLength(1)
    expect(plans[0]).toMatch(/Index/)
    expect(plans[0]).not.toContain('Seq Scan')
    expect(await selectCustomVariables(variables.database, storeId)).toHaveLength(200)
  })

  it('reads the variables of a checkout with one statement and no sequential scan', async () => {
    const ids = (await selectCustomVariables(variables.database, storeId)).slice(0, 50).map(({ id }) => id)
    const plans = await plansOf(variables.database, (db) => findCustomVariables(db, storeId, ids))
    expect(plans).toHaveLength(1)
    expect(plans[0]).not.toContain('Seq Scan')
    expect(await findCustomVariables(variables.database, storeId, ids)).toHaveLength(50)
  })
})
