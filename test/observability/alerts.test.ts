import { readFileSync } from 'node:fs'
import { services } from '@storekeep/local/services'
import { describe, expect, it } from 'vitest'
import { alerts, root } from './files.ts'
import { selectionsOf } from './promql.ts'

const headings = [...readFileSync(`${root}docs/operating.md`, 'utf8').matchAll(/^### (Storekeep\w+)$/gm)].map(
  ([, name]) => name,
)

describe('alerts', () => {
  it.each(alerts.map((alert) => [alert.alert, alert]))(
    'have a severity, a summary, a description and a runbook: %s',
    (name, { labels, annotations }) => {
      expect(['page', 'ticket']).toContain(labels?.severity)
      expect(labels?.application).toBe('storekeep')
      expect(annotations?.summary).toMatch(/\.$/)
      expect(annotations?.description).toMatch(/^[A-Z].*\.$/)
      expect(annotations?.runbook_url).toBe(`docs/operating.md#${name.toLowerCase()}`)
    },
  )

  it('have one heading each in docs/operating.md, in the same order', () => {
    expect(headings).toEqual(alerts.map(({ alert }) => alert))
  })

  it('have unique names', () => {
    expect(new Set(headings).size).toBe(alerts.length)
  })

  it('report every missing component', () => {
    const missing = alerts.find(({ alert }) => alert === 'StorekeepProcessMissing')
    const watched = selectionsOf(missing?.expr ?? '').flatMap(({ matchers }) =>
      matchers.filter(({ label }) => label === 'service').map(({ value }) => value),
    )
    expect(watched.sort()).toEqual(['gateway', 'pages', ...services.map(({ name }) => name)].sort())
  })
})
