import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMetrics } from '@storekeep/common/telemetry'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { chart, whyNoHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'deploy/observability')
const copy = join(chart, 'files/observability')
const files = ['alerts.yaml', ...readdirSync(join(source, 'dashboards')).map((name) => `dashboards/${name}`)]
const alerts: { groups: { name: string; rules: Rule[] }[] } = parse(readFileSync(join(source, 'alerts.yaml'), 'utf8'))
const rules = alerts.groups.flatMap((group) => group.rules)
const dashboards: Dashboard[] = files.slice(1).map((file) => JSON.parse(readFileSync(join(source, file), 'utf8')))
const panels = dashboards.flatMap((dashboard) => dashboard.panels).filter(({ targets }) => targets)

describe('alerts and dashboards', () => {
  it.each(files)('are copied into the chart: %s', (file) => {
    expect(readFileSync(join(copy, file), 'utf8')).toBe(readFileSync(join(source, file), 'utf8'))
  })

  it('are copied into the chart all', () => {
    expect(readdirSync(join(copy, 'dashboards'))).toEqual(readdirSync(join(source, 'dashboards')))
  })

  it.each(rules.map((rule) => [rule.alert ?? rule.record ?? '', rule.expr]))(
    'ask for metrics that the code has: %s',
    async (_name, expr) => {
      expect(await unknownMetrics(expr)).toEqual([])
    },
  )

  it.each(panels.map(({ title, targets = [] }) => [title, targets]))(
    'show metrics that the code has: %s',
    async (_title, targets) => {
      for (const { expr } of targets) expect(await unknownMetrics(expr)).toEqual([])
    },
  )

  it.each(rules.filter(({ alert }) => alert).map((rule) => [rule.alert, rule]))(
    'say what happened, what to do, and how urgent it is: %s',
    (_name, rule) => {
      expect(['page', 'ticket']).toContain(rule.labels?.severity)
      expect(rule.annotations?.summary).toMatch(/\.$/)
      expect(rule.annotations?.description).toMatch(/^[A-Z].*\.$/)
    },
  )

  it('notice a metric that the code does not have', async () => {
    expect(await unknownMetrics('rate(orders_total[5m]) > 1')).toEqual(['orders_total'])
  })
})

describe.skipIf(whyNoHelm)(`what is watched (${whyNoHelm ?? 'by Helm'})`, () => {
  let external: Manifest

  beforeAll(async () => {
    external = await render('external')
  })

  it('is nothing unless somebody asks for it', async () => {
    const manifest = await render('default')
    expect([...manifest.all('ServiceMonitor'), ...manifest.all('PrometheusRule')]).toEqual([])
  })

  it('is every service and the gateway, by the names that they print themselves', () => {
    const { spec } = external.one('ServiceMonitor', 'shop-storekeep')
    expect(
      spec.endpoints.map(({ port, path, honorLabels }: Record<string, unknown>) => [port, path, honorLabels]),
    ).toEqual([
      ['metrics', '/metrics', true],
      ['http', '/metrics', true],
    ])
    const watched = external.all('Service').filter(({ metadata }) => {
      const component = metadata.labels?.['app.kubernetes.io/component'] ?? ''
      return spec.selector.matchExpressions[0].values.includes(component)
    })
    expect(watched).toHaveLength(external.all('Deployment').length)
  })

  it('are the alerts, as they are', () => {
    const { spec, metadata } = external.one('PrometheusRule', 'shop-storekeep')
    expect(spec).toEqual(alerts)
    expect(metadata.labels?.release).toBe('prometheus')
  })

  it('are the dashboards, where Grafana looks for them', () => {
    const { data, metadata } = external.one('ConfigMap', 'shop-storekeep-dashboard-storekeep')
    expect(metadata.labels?.grafana_dashboard).toBe('1')
    expect(JSON.parse(data['storekeep.json'])).toEqual(dashboards[0])
  })
})

/** Names in an expression that are no metric of ours, no rule of ours, and no word of PromQL. */
async function unknownMetrics(expr: string): Promise<string[]> {
  const known = new Set([...(await knownMetrics), ...rules.flatMap(({ record }) => record ?? [])])
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|on|without) \([^)]*\)/g, '')
  const names = bare.match(/[a-z_:]*_[a-z0-9_:]+/g) ?? []
  return names.filter((name) => !known.has(name) && !words.has(name))
}

const words = new Set(['histogram_quantile'])
const knownMetrics = metricNames()

/** Those that a process of Node has anyway, and those that our sources make. */
async function metricNames(): Promise<string[]> {
  const { registry } = createMetrics({ service: 'test', processMetrics: true })
  const common = (await registry.getMetricsAsJSON()).map(({ name }) => name)
  const own = ['services', 'gateway/src'].flatMap(sourcesBelow).flatMap((file) => {
    return [...readFileSync(file, 'utf8').matchAll(/\.(counter|gauge|histogram)\(\s*'([a-z_]+)'/g)].flatMap(
      ([, kind, name]) => (kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name ?? '']),
    )
  })
  return [...common, ...own]
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules') && !file.includes('test'))
    .map((file) => join(root, folder, file))
}

interface Rule {
  alert?: string
  record?: string
  expr: string
  labels?: { severity?: string }
  annotations?: { summary?: string; description?: string }
}

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[]
}
