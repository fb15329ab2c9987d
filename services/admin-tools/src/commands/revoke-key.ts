import type { Command } from '../command.ts'
import { apiKeyRecord } from '../records.ts'

export const revokeKey: Command = {
  name: 'revoke-key',
  summary: 'Revokes an API key. Revoking it again has no effect.',
  options: [
    {
      name: 'key',
      value: '<id>',
      help: 'Id of the key, from list-keys.',
      required: true,
      fields: ['api_key_id'],
      locates: 'record',
    },
  ],
  examples: ['--key 411486491630370816'],
  async run(values, { stores, call }) {
    const { apiKey } = await stores.revokeApiKey({ apiKeyId: values.required('key') }, call())
    return { records: apiKey ? [apiKeyRecord(apiKey)] : [], list: false }
  },
}
