import { describe, expect, it } from 'vitest'
import { alerts, dashboards, type Panel, queries, rules } from './files.ts'
import { selectionsOf } from './promql.ts'

describe('queries', () => {
  it.each(queries.map(({ where, query }) => [where, query]))(
    'are valid PromQL with a selector: %s',
    (_where, query) => {
      expect(selectionsOf(query).length).toBeGreaterThan(0)
    },
  )

  it.each(queries.map(({ where, query }) => [where, query]))(
    'select only metrics of this application: %s',
    (_where, query) => {
      for (const { metric, matchers } of selectionsOf(query))
        expect(matchers, metric).toContainEqual({ label: 'application', value: 'storekeep' })
    },
  )

  it('record the label application', () => {
    const recorded = rules.filter(({ record }) => record !== undefined)
    expect(recorded.length).toBeGreaterThan(0)
    for (const { record, labels } of recorded) expect(labels, record).toEqual({ application: 'storekeep' })
  })

  it.each(['sum by (rate(x[5m])', 'rate(x[5m]) >', 'sum(x{a=})'])('are rejected if they are invalid: %s', (query) => {
    expect(() => selectionsOf(query)).toThrow('Invalid PromQL')
  })

  it('are parsed with the labels that they match and group by', () => {
    expect(selectionsOf('max by (a) (sum by (b, c) (rate(x_total{d="1", e=~"2"}[5m]))) > y')).toEqual([
      {
        metric: 'x_total',
        groupings: ['a', 'b', 'c'],
        matchers: [
          { label: 'd', value: '1' },
          { label: 'e', value: undefined },
        ],
      },
      { metric: 'y', groupings: [], matchers: [] },
    ])
  })
})

describe('dashboards', () => {
  it('have unique uids and titles', () => {
    for (const field of ['uid', 'title'] as const) {
      const all = dashboards.map((dashboard) => dashboard[field])
      expect(new Set(all).size).toBe(all.length)
    }
  })

  it.each(dashboards.map((dashboard) => [dashboard.file, dashboard]))('are complete: %s', (file, dashboard) => {
    expect(`${dashboard.uid}.json`).toBe(`storekeep-${file}`)
    expect(dashboard.tags).toContain('storekeep')
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource' }),
    )
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const panel of dashboard.panels.filter(({ type }) => type !== 'row')) {
      expect(panel.datasource, panel.title).toEqual({
        type: 'prometheus',
        uid: expect.stringMatching(/^\$\{datasource\}$/),
      })
      expect(panel.targets?.length, panel.title).toBeGreaterThan(0)
      const refs = panel.targets?.map(({ refId }) => refId) ?? []
      expect(new Set(refs).size, panel.title).toBe(refs.length)
    }
  })

  it.each(dashboards.map(({ file, panels }) => [file, panels]))(
    'have panels that do not overlap: %s',
    (_file, panels) => {
      for (const panel of panels) expect(panel.gridPos.x + panel.gridPos.w, panel.title).toBeLessThanOrEqual(24)
      const pairs = panels.flatMap((one, index) => panels.slice(index + 1).map((other) => [one, other] as const))
      const overlapping = pairs.filter(([one, other]) => overlap(one.gridPos, other.gridPos))
      expect(overlapping.map(([one, other]) => `${one.title} / ${other.title}`)).toEqual([])
    },
  )

  it('use only recording rules that exist', () => {
    const records = new Set(rules.map(({ record }) => record))
    const used = queries.flatMap(({ query }) => selectionsOf(query)).map(({ metric }) => metric)
    expect(used.filter((metric) => metric.includes(':') && !records.has(metric))).toEqual([])
  })
})

describe('error budgets', () => {
  const factors = { Fast: ['14.4', '1h', '5m'], '': ['6', '6h', '30m'], Slow: ['1', '3d', '6h'] }

  it.each(Object.entries(factors))(
    'compare a long window and a twelfth of it, and page only for more than five requests (%s)',
    (ending, [factor, long, short]) => {
      for (const [kind, ratio, budget] of [
        ['ErrorBudget', 'request_errors', '0.001'],
        ['LatencyBudget', 'slow_requests', '0.01'],
      ]) {
        const alert = alerts.find((one) => one.alert === `Storekeep${kind}Burn${ending}`)
        const [burns, many] = alert?.expr.replaceAll(/\s+/g, ' ').split(' and on () ') ?? []
        expect(burns).toBe(
          [long, short]
            .map((window) => `storekeep:${ratio}:ratio_rate${window}{application="storekeep"} > ${factor} * ${budget}`)
            .join(' and '),
        )
        const isPage = alert?.labels?.severity === 'page'
        expect(isPage).toBe(ending !== 'Slow')
        if (isPage) expect(many).toMatch(new RegExp(`\\[${long}\\]\\)\\) > 5$`))
      }
    },
  )
})

function overlap(one: Panel['gridPos'], other: Panel['gridPos']): boolean {
  const across = one.x < other.x + other.w && other.x < one.x + one.w
  return across && one.y < other.y + other.h && other.y < one.y + one.h
}
