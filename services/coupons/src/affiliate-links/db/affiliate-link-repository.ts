import {
  expectRow,
  insertInto,
  type Queryable,
  type Row,
  rowOf,
  setColumns,
  type Transaction,
  type UniqueRule,
} from '@storekeep/common/postgres'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import sql, { empty } from 'sql-template-tag'
import type { AffiliateLinkState } from '../domain/affiliate-link.ts'
import {
  type AffiliateLinkColumns,
  type AffiliateLinkRow,
  affiliateLinkColumns,
  affiliateLinkFromColumns,
  termColumns,
} from './schema.ts'

/** An affiliate link to insert. */
export type NewAffiliateLink = AffiliateLinkState & Pick<AffiliateLinkRow, 'storeId' | 'createdBy' | 'createdAt'>

/** The codes of the affiliate links of a store are unique, ignoring case. */
export const takenAffiliateCode: UniqueRule = {
  paths: { affiliate_link_code_unique: 'code' },
  message: 'Another affiliate link of this store has this code.',
  problem: 'belongs to another affiliate link of this store',
}

/** @throws pg.DatabaseError if the code is taken; see `takenAffiliateCode` */
export async function insertAffiliateLink(tx: Transaction, link: NewAffiliateLink): Promise<AffiliateLinkRow> {
  const { storeId, createdBy, createdAt } = link
  const values = { store_id: storeId, ...columnsOf(link), created_by: createdBy, created_at: createdAt }
  const rows = await tx.query<AffiliateLinkColumns>(
    sql`${insertInto('affiliate_link', [values])} returning ${affiliateLinkColumns}`,
  )
  return affiliateLinkFromColumns(expectRow(rows))
}

/** Whether the store has at least that many affiliate links. */
export async function hasAffiliateLinks(db: Queryable, storeId: string, count: number): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from affiliate_link where store_id = ${storeId} order by id offset ${count - 1} limit 1`)
  return rows.length > 0
}

export async function findAffiliateLink(
  db: Queryable,
  storeId: string,
  id: string,
): Promise<AffiliateLinkRow | undefined> {
  const [row] = await db.query<AffiliateLinkColumns>(
    sql`select ${affiliateLinkColumns} from affiliate_link where store_id = ${storeId} and id = ${id}`,
  )
  return row && affiliateLinkFromColumns(row)
}

/** The links with one of these folded codes, in any order. */
export async function findAffiliateLinksByCode(
  db: Queryable,
  storeId: string,
  foldedCodes: readonly string[],
): Promise<AffiliateLinkRow[]> {
  const rows = await db.query<AffiliateLinkColumns>(sql`
    select ${affiliateLinkColumns} from affiliate_link
    where store_id = ${storeId} and folded_code = any(${foldedCodes}::text[])`)
  return rows.map(affiliateLinkFromColumns)
}

/** The links of the store, newest first, starting after `after`. */
export async function selectAffiliateLinks(
  db: Queryable,
  storeId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<AffiliateLinkRow[]> {
  const rows = await db.query<AffiliateLinkColumns>(sql`
    select ${affiliateLinkColumns} from affiliate_link
    where store_id = ${storeId} ${after === undefined ? empty : sql`and id < ${after}`}
    order by id desc limit ${limit}`)
  return rows.map(affiliateLinkFromColumns)
}

/** Locks the link until the transaction ends. */
export async function lockAffiliateLink(
  tx: Transaction,
  storeId: string,
  id: string,
): Promise<AffiliateLinkRow | undefined> {
  const [row] = await tx.query<AffiliateLinkColumns>(sql`
    select ${affiliateLinkColumns} from affiliate_link where store_id = ${storeId} and id = ${id}
    for no key update`)
  return row && affiliateLinkFromColumns(row)
}

/**
 * Writes the terms of a link that the transaction has locked, and increments its version.
 * @throws pg.DatabaseError if the code is taken; see `takenAffiliateCode`
 */
export async function updateAffiliateLinkState(
  tx: Transaction,
  { storeId, id }: AffiliateLinkRow,
  link: AffiliateLinkState,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<AffiliateLinkRow> {
  const values = { ...columnsOf(link), updated_by: updatedBy, updated_at: updatedAt }
  const rows = await tx.query<AffiliateLinkColumns>(sql`
    update affiliate_link set ${setColumns(values)}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${affiliateLinkColumns}`)
  return affiliateLinkFromColumns(expectRow(rows))
}

export async function deleteLockedAffiliateLink(tx: Transaction, { storeId, id }: AffiliateLinkRow): Promise<void> {
  await tx.query(sql`delete from affiliate_link where store_id = ${storeId} and id = ${id}`)
}

function columnsOf(link: AffiliateLinkState): Row {
  const steps = link.commissionAmountSteps
  const stepSequences = steps.map(({ billingCycleSequence }) => billingCycleSequence)
  const stepAmounts = steps.map(({ commissionAmount }) => commissionAmount.toString())
  return { ...rowOf(termColumns, { ...link, stepSequences, stepAmounts }), folded_code: foldText(link.code) }
}
