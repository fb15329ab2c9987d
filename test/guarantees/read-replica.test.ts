import { fresh, onServer, startSystem, waitFor } from '@storekeep/test/kit'
import { expect, it } from 'vitest'

it('revokes tokens and keys immediately, although searches read a replica that has stopped replaying', async () => {
  const system = await startSystem({
    only: ['stores', 'customers'],
    own: ['postgres'],
    replication: 'asynchronous',
    // Disables the age limit, so that the stale replica is used.
    replicaMaxLagMs: 600_000,
  })
  const { standby } = system.infra
  if (!standby) throw new Error('The system has no standby.')
  try {
    const store = await system.createStore()
    const key = await system.operator.createKey(store.id)
    const withKey = () => store.get('/customers', { headers: { authorization: `APIKey ${key.key}` } })
    const name = fresh.name()
    const { id } = (await store.post<{ id: string }>('/customers', { name })).body
    const { token } = (await store.post<{ token: string }>(`/customers/${id}/tokens`)).body
    const search = async (text: string) => {
      const { body } = await store.get<{ id: string }[]>(`/customers?search=${encodeURIComponent(text)}`)
      return body.map((one) => one.id)
    }
    await waitFor('the replica serves searches', async () => {
      await search(name)
      const scans = await onServer(standby.url, (client) =>
        client.query(
          `select from pg_stat_activity where application_name = 'customers' and query ilike '%from customer%'`,
        ),
      )
      return (scans.rowCount ?? 0) > 0
    })
    await onServer(standby.url, (client) => client.query('select pg_wal_replay_pause()'))

    const renamed = fresh.name()
    await store.patch(`/customers/${id}`, { name: renamed })
    // Negative control: reads that may lag are stale.
    await waitFor('a search to return the old state', async () => (await search(name)).includes(id))
    expect(await search(renamed)).toEqual([])
    // All other reads are current.
    expect((await store.get<{ name: string }>(`/customers/${id}`)).body.name).toBe(renamed)
    expect((await store.shop('GET', '/store/customer', { token })).status).toBe(200)
    expect((await store.delete(`/customers/${id}/tokens`)).status).toBe(204)
    expect((await store.shop('GET', '/store/customer', { token })).status).toBe(401)
    expect((await withKey()).status).toBe(200)
    await system.operator.revokeKey(key.id)
    await waitFor('the key to be rejected', async () => (await withKey()).status === 401)
  } finally {
    await system.stop()
  }
})
