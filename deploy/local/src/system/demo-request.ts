import { setTimeout as pause } from 'node:timers/promises'

/** Sends requests to the gateway as the server of a demo store. Repeats them after a 503: a service may have just started. */
export function requesterOf({ id, api_key }: DemoStore, baseUrl: string) {
  return async (path: string, post?: { key: string; body?: object }): Promise<Response> => {
    for (let attempts = 1; ; attempts += 1) {
      const response = await fetch(`${baseUrl}/v1/stores/${id}/${path}`, {
        headers: {
          authorization: `APIKey ${api_key}`,
          ...(post && { 'idempotency-key': post.key }),
          ...(post?.body && { 'content-type': 'application/json' }),
        },
        ...(post && { method: 'POST' }),
        ...(post?.body && { body: JSON.stringify(post.body) }),
        signal: AbortSignal.timeout(10_000),
      })
      if (response.status !== 503 || attempts === maxAttempts) return response
      await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
    }
  }
}

const maxAttempts = 20

export interface DemoStore {
  id: string
  slug: string
  game: string
  api_key: string
  /** The token of the demo game server, if the store has one. */
  game_server_token?: string | undefined
  /** Whether the catalog has been created; it is not created again after changes. */
  is_filled: boolean
}
