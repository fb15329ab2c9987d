import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AdminError, type Command } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'
import { apiKeyRecord } from '../records.ts'

export const createKey: Command = {
  name: 'create-key',
  summary: 'Creates an API key for a store (two active keys at most) and prints it once.',
  options: [
    storeOption,
    { name: 'name', value: '<text>', help: 'Name that identifies the key.', required: true },
    {
      name: 'scopes',
      value: '<list>',
      help: 'Comma-separated scopes, such as customers:read,bans:write. All scopes if omitted.',
    },
    {
      name: 'expires-at',
      value: '<date>',
      help: 'Expiry, such as 2030-01-31 or 2030-01-31T12:00:00Z. The key never expires if omitted.',
    },
  ],
  examples: [
    '--store rusty-isles --name "game server"',
    '--store rusty-isles --name reports --scopes customers:read,checkouts:read --expires-at 2030-01-31',
    '--store rusty-isles --name "game server" --json',
  ],
  async run(values, services) {
    const scopes = readScopes(values.optional('scopes'))
    const expiresAt = readDate(values.optional('expires-at'))
    const store = await findStore(services, values.required('store'))
    const request = {
      storeId: store.id,
      name: values.required('name'),
      scopes,
      ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
    }
    const { apiKey, key } = await services.stores.createApiKey(request, services.call())
    return {
      records: apiKey ? [{ ...apiKeyRecord(apiKey), key }] : [],
      list: false,
      note: 'The key is shown only once. Send it as "Authorization: APIKey <key>".',
    }
  },
}

function readScopes(text: string | undefined): string[] {
  const scopes = text?.split(',').map((scope) => scope.trim()) ?? []
  if (text !== undefined && scopes.every((scope) => scope === ''))
    throw new AdminError('--scopes must name at least one scope.')
  return scopes.filter((scope) => scope !== '')
}

function readDate(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = /^\d{4}-\d\d-\d\d(T.+(Z|[+-]\d\d:\d\d))?$/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(date.getTime()))
    throw new AdminError('--expires-at must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z.')
  return date
}
