import * as stable from '@opentelemetry/semantic-conventions'
import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { describe, expect, it } from 'vitest'
import { attributes } from './semantic-conventions.ts'

const known: Record<string, unknown> = { ...incubating, ...stable }

describe('span attributes', () => {
  it.each(Object.entries(attributes))(
    '%s has a name of the semantic conventions or starts with storekeep.',
    (_member, name) => {
      if (name.startsWith('storekeep.')) return
      expect(known[`ATTR_${name.replace(/[._]/g, '_').toUpperCase()}`]).toBe(name)
    },
  )
})
