import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = `${root}helm/storekeep/files/observability/`
export const alertsFile = `${folder}alerts.yaml`

const tests = `${root}test/observability/`

export const rules: readonly Rule[] = (
  parse(readFileSync(alertsFile, 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules)

export const alerts: readonly Alert[] = rules.flatMap((rule) => (rule.alert ? [rule as Alert] : []))

/** The promtool test files. */
export const alertTestFiles: readonly string[] = readdirSync(tests)
  .filter((file) => file.endsWith('.test.yaml'))
  .map((file) => tests + file)

/** Their expectations. */
export const alertTests: readonly AlertTest[] = alertTestFiles.flatMap((file) =>
  (parse(readFileSync(file, 'utf8')) as { tests: { alert_rule_test: AlertTest[] }[] }).tests.flatMap(
    (test) => test.alert_rule_test,
  ),
)

export const dashboards: readonly Dashboard[] = readdirSync(`${folder}dashboards`).map((file) => ({
  file,
  ...JSON.parse(readFileSync(`${folder}dashboards/${file}`, 'utf8')),
}))

/** Every query and where it is used. */
export const queries: readonly { where: string; query: string }[] = [
  ...rules.map(({ alert, record, expr }) => ({ where: alert ?? record ?? '', query: expr })),
  ...dashboards.flatMap(({ title, panels }) =>
    panels.flatMap((panel) =>
      (panel.targets ?? []).map(({ expr }) => ({ where: `${title}: ${panel.title}`, query: expr })),
    ),
  ),
]

export interface Rule {
  alert?: string
  record?: string
  expr: string
  for?: string
  labels?: { application?: string; severity?: string }
  annotations?: { summary?: string; description?: string; runbook_url?: string }
}

export interface Alert extends Rule {
  alert: string
}

export interface AlertTest {
  alertname: string
  /** Absent if the alert must not fire. */
  exp_alerts?: unknown[]
}

export interface Dashboard {
  file: string
  uid: string
  title: string
  tags: string[]
  templating: { list: { name: string; type: string }[] }
  panels: Panel[]
}

export interface Panel {
  id: number
  type: string
  title: string
  datasource?: { type: string; uid: string }
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { refId: string; expr: string; legendFormat: string }[]
}
