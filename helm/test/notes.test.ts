import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chart, describeWithHelm, runHelm } from './src/helm.ts'
import { newestKubernetes } from './src/render.ts'
import type { Scenario } from './src/values.ts'

describeWithHelm('NOTES.txt', () => {
  it('names existing objects and the public URL', async () => {
    const text = await notes('external')
    const command = /^exec deploy\/shop-storekeep-admin-tools -- .*\n +node services\/admin-tools\/src\/main\.ts$/
    expect(text.match(/exec deploy\/\S+ -- \\\n +node \S+/g)).toEqual([
      expect.stringMatching(command),
      expect.stringMatching(command),
    ])
    expect(text).toContain('Storekeep is available at https://store.example.org')
    expect(text).toContain(
      'Checkout pages are at https://pay.example.org/checkout, the customer portal is at https://pay',
    )
    expect(text).toContain('helm -n shops test shop')
    expect(text).not.toContain('port-forward')
    expect(text).not.toContain('generated keys')
  })

  it('explains how to open a trial installation, what to wait for and what to back up', async () => {
    const text = await notes('bundled')
    expect(text).toMatch(/job\/shop-storekeep-migrations-1-[0-9a-f]{6}/)
    expect(text).toContain('port-forward service/shop-storekeep-gateway 8080:80')
    expect(text).toContain('port-forward service/shop-storekeep-pages 8081:80')
    expect(text).toContain('Secret shop-storekeep contains generated keys')
    expect(text).toContain('They are for trials only')
  })

  it('omits disabled features', async () => {
    const text = await notes('minimal')
    expect(text).not.toContain('helm -n')
    expect(text).not.toContain('migrations')
    expect(text).toContain('Links to checkout pages start with https://store.example.org/checkout')
    expect(text).toContain('no Ingress or HTTPRoute exposes them yet: set pages.publicBaseUrl')
  })
})

/** `helm template` does not print notes, so a copy of the chart renders them as an object. */
async function notes(scenario: Scenario): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'chart-'))
  try {
    await cp(chart, copy, { recursive: true })
    const source = await readFile(join(chart, 'templates/NOTES.txt'), 'utf8')
    await writeFile(join(copy, 'templates/_notes.tpl'), `{{ define "notes" }}${source}{{ end }}`)
    await writeFile(join(copy, 'templates/notes.yaml'), 'notes: {{ include "notes" . | toJson }}')
    const flags = ['--namespace', 'shops', '--kube-version', newestKubernetes, '--show-only', 'templates/notes.yaml']
    const { stdout, stderr } = await runHelm('template', 'shop', copy, ...flags, '-f', `ci/${scenario}-values.yaml`)
    if (stderr !== '') throw new Error(stderr)
    return JSON.parse(stdout.slice(stdout.indexOf('notes: ') + 'notes: '.length))
  } finally {
    await rm(copy, { recursive: true })
  }
}
