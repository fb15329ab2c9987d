import { describe, expect, it } from 'vitest'
import { nextMigrationName } from './next-migration.ts'

describe('nextMigrationName', () => {
  it('returns the number after the highest one', () => {
    expect(nextMigrationName([], 'create-things')).toBe('0001-create-things.sql')
    expect(nextMigrationName(['0002-b.sql', '0009-a.sql', 'README.md'], 'add-notes')).toBe('0010-add-notes.sql')
  })

  it.each(['', 'Add', 'a b', '../x', 'a--b'])('rejects the name "%s"', (name) => {
    expect(() => nextMigrationName([], name)).toThrow('is not a valid migration name')
  })
})
