import { type AddressInfo, createServer, type Socket } from 'node:net'
import { parseDatabaseUrl } from '@storekeep/common/config'
import { type Database, type Queryable, runMigrations } from '@storekeep/common/postgres'
import { startTcpProxy } from '@storekeep/common/testing'
import { createFlakeIds } from '@storekeep/common/write'
import type { RunningServer } from '@storekeep/local/infra'
import { onServer, waitFor } from '@storekeep/test/kit'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeAll, log, open, openWithReplica, type Pair, startPair } from './postgres-pair.ts'

const unavailable = { code: 'service-unavailable' }

describe('a database on several servers', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await startPair()
  })
  afterEach(closeAll)
  afterAll(() => pair.stop())

  it('uses the primary for all statements, at any position in the list', async () => {
    const { primary, standby } = pair
    expect(await useAll(open([standby, primary]), 1)).toEqual([1, 2, 3])
    expect(await useAll(open([primary, standby], 'primary'), 11)).toEqual([11, 12, 13])
    const fresh = open([standby, primary])
    const ports = [portOf(fresh), portOf(fresh.scans()), fresh.transaction(portOf), portOf(fresh)]
    expect(new Set(await Promise.all(ports))).toEqual(new Set([primary.port]))
    // Negative control: without a choice, the first host is used.
    await expect(useAll(open([standby], 'any'), 21)).rejects.toMatchObject(unavailable)
  })

  it('keeps using its open connections while the servers accept no new ones', async () => {
    const { primary, standby } = pair
    const database = open([primary, standby])
    const begin = () => database.transaction((tx) => tx.query(sql`select 1 as one`))
    await begin()
    const [statements] = await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const elsewhere = Object.assign(new URL(primary.url), { pathname: '/template1' }).href
    const { database: name } = parseDatabaseUrl(primary.url)
    const allow = (isAllowed: boolean) =>
      onServer(elsewhere, (client) => client.query(`alter database ${name} allow_connections ${isAllowed}`))
    await allow(false)
    try {
      // The lost connection starts a search, which finds no server.
      await onServer(elsewhere, (client) => client.query('select pg_terminate_backend($1)', [statements?.pid]))
      await expect(database.query(sql`select 1`)).rejects.toThrow()
      expect(await begin()).toEqual([{ one: 1 }])
    } finally {
      await allow(true)
    }
    await waitFor('new connections', () =>
      database.ping().then(
        () => true,
        () => false,
      ),
    )
  })

  it('is unavailable when only servers are reachable that it must not use', async () => {
    const { primary, standby } = pair
    await expect(open([standby]).ping()).rejects.toMatchObject(unavailable)
    await expect(open([primary], 'standby').ping()).rejects.toMatchObject(unavailable)
    await open([primary, standby], 'standby').ping()
  })

  it('does not wait for a host that accepts connections and never responds', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const url = pair.primary.url.replace(/:\d+\//, `:${port}/`)
    try {
      expect(await useAll(open([{ url }, pair.standby, pair.primary], 'read-write', 100), 31)).toEqual([31, 32, 33])
      // The attempt to connect has neither succeeded nor reached its time limit of 100 s.
      expect(sockets.size).toBe(1)
    } finally {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => silent.close(resolve))
    }
  })
})

describe('a read replica', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await startPair()
  })
  afterEach(closeAll)
  afterAll(() => pair.stop())

  const replayOf = (action: 'pause' | 'resume') =>
    onServer(pair.standby.url, (client) => client.query(`select pg_wal_replay_${action}()`))

  it('serves the scans that may lag, and the primary all others', async () => {
    const database = openWithReplica(pair, 3_600_000)
    await untilServedBy(database, pair.standby)
    expect(await portOf(database.scans())).toBe(pair.primary.port)
    expect(await portOf(database)).toBe(pair.primary.port)
  })

  it('serves nothing while it is too far behind, and again when it has caught up', async () => {
    const database = openWithReplica(pair, 1000)
    await untilServedBy(database, pair.standby)
    await replayOf('pause')
    try {
      // Negative control: with a limit that is never reached, the old state is returned.
      const patient = openWithReplica(pair, 3_600_000)
      await untilServedBy(patient, pair.standby)
      await database.query(sql`insert into thing values (501)`)
      const changed = sql`select id from thing where id = 501`
      expect(await patient.scans({}, mayLag).query(changed)).toEqual([])
      await untilServedBy(database, pair.primary)
      expect(await database.scans({}, mayLag).query(changed)).toEqual([{ id: 501 }])
    } finally {
      await replayOf('resume')
    }
    await untilServedBy(database, pair.standby)
    await waitFor('the replica has the change', async () => {
      const found = await database.scans({}, mayLag).query(sql`select id from thing where id = 501`)
      return found.length === 1
    })
  })

  it('loses no request when it is unreachable, and none fails for what it does not have yet', async () => {
    const proxy = await startTcpProxy(pair.standby.url)
    try {
      const database = openWithReplica(pair, 3_600_000, proxy.url)
      await untilServedBy(database, pair.standby)
      proxy.cut()
      expect(await portOf(database.scans({}, mayLag))).toBe(pair.primary.port)
      proxy.pass()
      await untilServedBy(database, pair.standby)
      await replayOf('pause')
      await database.query(sql`create table added (id int)`)
      expect(await database.scans({}, mayLag).query(sql`select id from added`)).toEqual([])
    } finally {
      await replayOf('resume')
      await proxy.close()
    }
  })
})

describe('a promotion', () => {
  let pair: Pair
  beforeEach(async () => {
    pair = await startPair()
  })
  afterEach(async () => {
    await closeAll()
    await pair.stop()
  })

  it('is followed after a crash of the primary, and a former primary that comes back is not used', async () => {
    const { primary, standby } = pair
    const database = open([primary, standby])
    await useAll(database, 1)
    primary.kill('SIGKILL')
    await primary.exited
    await expect(database.query(sql`insert into thing values (10)`)).rejects.toMatchObject(unavailable)
    await onServer(standby.url, (client) => client.query('select pg_promote()'))
    await untilWritable(database)
    expect(await useAll(database, 11)).toEqual([11, 12, 13])

    // The former primary is the first in the list, accepts writes, and is then the only server.
    await pair.restartPrimary()
    expect(await useAll(database, 21)).toEqual([21, 22, 23])
    await standby.stop()
    await expect(database.query(sql`insert into thing values (31)`)).rejects.toMatchObject(unavailable)
    await expect(database.ping()).rejects.toMatchObject(unavailable)
    // Negative control: a process that has not seen the promotion cannot detect it.
    expect(await useAll(open([primary, standby]), 41)).toEqual([41, 42, 43])
  })

  it('never gives a range of ids to two processes, also if the standby lacks the reservation', async () => {
    const { primary, standby, link } = pair
    await runMigrations({ url: primary.url, schema: 'public', directory: pair.folder, cell: 0, nodeNumber: 9, log })
    await onServer(primary.url, (client) => client.query('update flake_lease set reserved_until = 0'))
    await waitFor('the standby has the ranges', async () => {
      const free = 'select from flake_lease where reserved_until = 0'
      return (
        (await onServer(standby.url, (client) => client.query(free).catch(() => ({ rowCount: 0 })))).rowCount === 32
      )
    })
    link.stall()
    const range = rangeOf(await createFlakeIds(open([primary, standby])).next())
    expect(range).toBeGreaterThanOrEqual(32)
    primary.kill('SIGKILL')
    await primary.exited
    link.cut()
    await onServer(standby.url, (client) => client.query('select pg_promote()'))
    const after = open([primary, standby])
    await waitFor('the new primary', () =>
      createFlakeIds(after)
        .next()
        .then(Boolean, () => false),
    )
    expect(rangeOf(await createFlakeIds(after).next())).toBeLessThan(32)
    // Negative control: if the promotion goes unnoticed, the next process gets the same range.
    await onServer(standby.url, (client) => client.query('update flake_lease set reserved_until = 0'))
    expect(rangeOf(await createFlakeIds(after).next())).toBe(range)
  })

  it('takes a read replica out of use while the primary of the process is another server', async () => {
    const { primary, standby } = pair
    const database = openWithReplica(pair, 1000)
    await untilServedBy(database, standby)
    await onServer(standby.url, (client) => client.query('select pg_promote()'))
    await untilServedBy(database, primary)
  })

  it('is followed by every connection, also of open transactions, when the former primary becomes read-only', async () => {
    const { primary, standby } = pair
    const database = open([primary, standby])
    await useAll(database, 1)
    const moved = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const held = database.transaction(async (tx) => {
      await tx.query(sql`select 1`)
      begun.resolve()
      await moved.promise
      return await tx.query(sql`select 1`)
    })
    const heldEnds = expect(held).rejects.toMatchObject(unavailable)
    await begun.promise
    await onServer(standby.url, (client) => client.query('select pg_promote()'))
    await onServer(primary.url, async (client) => {
      await client.query('alter system set default_transaction_read_only = on')
      await client.query('select pg_reload_conf()')
    })
    await waitFor('the former primary to be read-only', async () => {
      const { rows } = await onServer(primary.url, (client) => client.query('show default_transaction_read_only'))
      return rows[0]?.default_transaction_read_only === 'on'
    })
    await untilWritable(database)
    moved.resolve()
    await heldEnds
    expect(await useAll(database, 11)).toEqual([11, 12, 13])
  })
})

/** Writes and reads over every kind of connection. @returns the ids that were written */
async function useAll(database: Database, id: number): Promise<number[]> {
  await database.query(sql`insert into thing values (${id})`)
  await database.transaction((tx) => tx.query(sql`insert into thing values (${id + 1})`))
  await database.transaction(async (tx) => tx.insert('thing', { id: id + 2 }))
  const scan = sql`select id from thing where id between ${id} and ${id + 9} order by id`
  return (await database.scans().query<{ id: number }>(scan)).map((row) => row.id)
}

const mayLag = { mayLag: true }

async function portOf(queryable: Queryable): Promise<number | undefined> {
  const [row] = await queryable.query<{ port: number }>(sql`select inet_server_port() as port`)
  return row?.port
}

async function untilServedBy(database: Database, server: RunningServer): Promise<void> {
  const isServing = async () => (await portOf(database.scans({}, mayLag))) === server.port
  await waitFor(`port ${server.port} serves the scans that may lag`, isServing)
}

async function untilWritable(database: Database): Promise<void> {
  await waitFor('the new primary accepts a write', async () => {
    try {
      await database.query(sql`insert into thing select coalesce(max(id), 1000) + 1 from thing`)
      return true
    } catch (error) {
      expect(error).toMatchObject(unavailable)
      return false
    }
  })
}

/** 32 to 63 for the ranges of processes; less for ids generated by Postgres. */
function rangeOf(id: string): number {
  return Number((BigInt(id) >> 6n) & 63n)
}
