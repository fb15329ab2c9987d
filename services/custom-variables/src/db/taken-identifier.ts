import type { UniqueRule } from '@storekeep/common/postgres'

/** What the unique index of the table says to a caller. */
export const takenIdentifier: UniqueRule = {
  paths: { custom_variable_identifier: 'identifier' },
  message: 'The identifier belongs to another custom variable of the store.',
  problem: 'is taken',
}
