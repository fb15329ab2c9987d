import { readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { refoldAll } from '../src/tasks/refold-identities.ts'
import { createTestBan, identity, inStore, useBans } from './harness.ts'

const bans = useBans()

/** A ban as the previous release writes it: without `folding`, and with match values by its rule. */
async function oldBan(options: ReturnType<typeof inStore>, ...identities: (readonly [string, string, string])[]) {
  const ban = await createTestBan(bans, options)
  await bans.database.query(sql`delete from ban_identity where ban_id = ${ban.id}`)
  for (const [position, [type, value, matchValue]] of identities.entries()) {
    await bans.database.query(sql`
      insert into ban_identity (store_id, ban_id, type, match_value, value, position)
      values (${options.storeId}, ${ban.id}, ${type}, ${matchValue}, ${value}, ${position})`)
  }
  return ban.id
}

const check = async (options: ReturnType<typeof inStore>, one: ReturnType<typeof identity>) =>
  (await bans.client.checkBan({ identities: [one] }, options)).banId

describe('identities that the previous release wrote', () => {
  it('match what they matched before, and once recomputed every spelling', async () => {
    const options = inStore()
    const name = await oldBan(options, ['customer_name', 'Straße', 'straße'])
    const email = await oldBan(options, ['email', 'oﬃce@x.org', 'oﬃce@x.org'])
    const xuid = await oldBan(options, ['xbox_xuid', '007', '007'])
    expect(await check(options, identity('CUSTOMER_NAME', 'STRAßE'))).toBe(name)
    expect(await check(options, identity('EMAIL', 'Oﬃce@x.org'))).toBe(email)
    await refoldAll(bans)
    expect(await check(options, identity('CUSTOMER_NAME', 'STRASSE'))).toBe(name)
    expect(await check(options, identity('EMAIL', 'OFFICE@x.org'))).toBe(email)
    expect(await check(options, identity('XBOX_XUID', '7'))).toBe(xuid)
    const listed = await bans.client.listBans({ banTypeValue: 'strasse' }, options)
    expect(listed.bans.map(({ id }) => id)).toEqual([name])
  })

  it('stay in the record, also if two of a ban have become equal', async () => {
    const options = inStore()
    const both = [
      ['customer_name', 'Straße', 'straße'],
      ['customer_name', 'Strasse', 'strasse'],
    ] as const
    const id = await oldBan(options, ...both)
    await refoldAll(bans)
    const { ban } = await bans.client.getBan({ banId: id }, options)
    expect(ban?.identities.map(({ banTypeValue }) => banTypeValue)).toEqual(['Straße', 'Strasse'])
    expect(await check(options, identity('CUSTOMER_NAME', 'STRAẞE'))).toBe(id)
    expect(await bans.database.query(sql`select from ban_identity where ban_id = ${id} and folding = 1`)).toEqual([])
  })

  it('include XUIDs, which the migration itself normalizes, one of each ban', async () => {
    const options = inStore()
    const one = await oldBan(options, ['xbox_xuid', '0042', '0042'], ['xbox_xuid', '042', '042'])
    const other = await oldBan(options, ['xbox_xuid', '0043', '0043'], ['xbox_xuid', '43', '43'])
    const text = await readFile(new URL('../src/db/migrations/0005-normalize-xbox-xuid.sql', import.meta.url), 'utf8')
    await bans.database.query(sql`${raw(text.slice(text.indexOf('update ban_identity')))}`)
    expect(await check(options, identity('XBOX_XUID', '42'))).toBe(one)
    expect(await check(options, identity('XBOX_XUID', '43'))).toBe(other)
  })
})
