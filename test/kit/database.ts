import { randomBytes } from 'node:crypto'
import { provisionSchema } from '@storekeep/common/postgres'
import pg from 'pg'

/** A database of its own for one system, with a schema and a role for each service, named after the service. */
export async function createSystemDatabase(
  adminUrl: string,
  runName: string,
  services: readonly string[],
): Promise<SystemDatabase> {
  const database = pg.escapeIdentifier(runName)
  await onServer(adminUrl, (client) => client.query(`create database ${database}`))
  const ownUrl = withDatabase(adminUrl, runName)
  const urls = new Map<string, string>()
  const passwords: string[] = []
  for (const schema of services) {
    const role = `${runName}_${schema}`
    const password = randomBytes(18).toString('base64url')
    await provisionSchema({ adminUrl: ownUrl, schema, role, password })
    passwords.push(password)
    urls.set(schema, withRole(ownUrl, role, password))
  }
  return {
    adminUrl: ownUrl,
    passwords,
    urlOf: (service) => {
      const url = urls.get(service)
      if (url === undefined) throw new Error(`The database has no schema ${service}.`)
      return url
    },
    drop: () =>
      onServer(adminUrl, async (client) => {
        await client.query(`drop database if exists ${database} with (force)`)
        for (const schema of services) {
          await client.query(`drop role if exists ${pg.escapeIdentifier(`${runName}_${schema}`)}`)
        }
      }),
  }
}

/** Connects, runs `work`, disconnects. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

function withRole(url: string, role: string, password: string): string {
  const changed = new URL(url)
  changed.username = role
  changed.password = password
  return changed.href
}

export interface SystemDatabase {
  /** The new database, as the administrator. */
  adminUrl: string
  passwords: readonly string[]
  /** The new database, as a service's own role. */
  urlOf(service: string): string
  drop(): Promise<void>
}
