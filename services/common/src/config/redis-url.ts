import { parseServerUrl, type ServerUrl } from './server-url.ts'

/**
 * Parses a REDIS_URL. `rediss` instead of `redis` uses TLS:
 * - `redis://user:password@host:6379/0`: one server
 * - `redis+sentinel://user:password@s1:26379,s2:26379/0?master=name`: the server that these sentinels call the master. The
 *   credentials belong to the servers, the parameters `sentinel-user` and `sentinel-password` to the sentinels
 * - `redis+cluster://user:password@h1:6379,h2:6379`: the cluster of which these are nodes
 *
 * @throws Error whose message continues the setting's name and says what is wrong; see `parseServerUrl`
 */
export function parseRedisUrl(text: string): RedisUrl {
  const isSentinel = /^rediss?\+sentinel:/.test(text)
  const url = parseServerUrl(text, redisPorts, isSentinel ? sentinelParameters : [])
  const { scheme, hosts, path, parameters } = url
  if (!/^\d{0,5}$/.test(path)) throw new Error('has a path that is not the number of a database')
  if (scheme.endsWith('+cluster') && Number(path) > 0) throw new Error('names a database, but a cluster only has 0')
  if (!scheme.includes('+') && hosts.length > 1) {
    throw new Error(
      `lists several hosts; use ${scheme}+sentinel:// for sentinels, or ${scheme}+cluster:// for a cluster`,
    )
  }
  if (isSentinel && !parameters.master)
    throw new Error('has no master; add ?master= and the name that the sentinels use')
  if (parameters['sentinel-user'] && !parameters['sentinel-password']) {
    throw new Error('has a sentinel-user without sentinel-password')
  }
  return url
}

const redisPorts = {
  redis: 6379,
  rediss: 6379,
  'redis+sentinel': 26_379,
  'rediss+sentinel': 26_379,
  'redis+cluster': 6379,
  'rediss+cluster': 6379,
}

const sentinelParameters = ['master', 'sentinel-user', 'sentinel-password']

export type RedisUrl = ServerUrl<keyof typeof redisPorts>
