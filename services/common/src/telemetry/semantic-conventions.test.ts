import * as stable from '@opentelemetry/semantic-conventions'
import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { describe, expect, it } from 'vitest'
import { attributes } from './semantic-conventions.ts'

const known: Record<string, unknown> = { ...incubating, ...stable }

describe('the names in spans', () => {
  it.each(Object.entries(attributes))('%s is a name of the conventions, or one of our own', (_member, name) => {
    if (name.startsWith('storekeep.')) return
    expect(known[`ATTR_${name.replace(/[._]/g, '_').toUpperCase()}`]).toBe(name)
  })
})
