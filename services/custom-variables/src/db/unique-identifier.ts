import type { UniqueRule } from '@storekeep/common/postgres'

/** The conflict that a violation of the unique index is reported as. */
export const uniqueIdentifier: UniqueRule = {
  paths: { custom_variable_identifier: 'identifier' },
  message: 'Another custom variable of this store has this identifier.',
  problem: 'is taken',
}
