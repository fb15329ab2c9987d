import { describe, expect, it } from 'vitest'
import { nextMigrationName } from './next-migration.ts'

describe('the next migration', () => {
  it('takes the number after the highest', () => {
    expect(nextMigrationName([], 'create-things')).toBe('0001-create-things.sql')
    expect(nextMigrationName(['0002-b.sql', '0009-a.sql', 'README.md'], 'add-notes')).toBe('0010-add-notes.sql')
  })

  it.each(['', 'Add', 'a b', '../x', 'a--b'])('refuses the name "%s"', (name) => {
    expect(() => nextMigrationName([], name)).toThrow('is no name for a migration')
  })
})
