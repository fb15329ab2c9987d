import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chart, runHelm, whyNoHelm } from './src/helm.ts'
import type { Scenario } from './src/render.ts'

describe.skipIf(whyNoHelm)(`what is said after an installation (${whyNoHelm ?? 'by Helm'})`, () => {
  it('names the objects that are there, and the way in', async () => {
    const said = await notes('external')
    expect(said.match(/exec deploy\/\S+ -- \\\n +node \S+/g)).toEqual([
      expect.stringMatching(
        /^exec deploy\/shop-storekeep-admin-tools -- .*\n +node services\/admin-tools\/src\/main\.ts$/,
      ),
      expect.stringMatching(
        /^exec deploy\/shop-storekeep-admin-tools -- .*\n +node services\/admin-tools\/src\/main\.ts$/,
      ),
    ])
    expect(said).toContain('The public reaches it at https://store.example.org')
    expect(said).toContain('helm -n shops test shop')
    expect(said).not.toContain('port-forward')
    expect(said).not.toContain('made up')
  })

  it('says of a trial how to reach it, what to wait for, and what to keep', async () => {
    const said = await notes('bundled')
    expect(said).toMatch(/job\/shop-storekeep-migrations-1-[0-9a-f]{6}/)
    expect(said).toContain('port-forward service/shop-storekeep-gateway 8080:80')
    expect(said).toContain('The keys in the Secret shop-storekeep were made up')
    expect(said).toContain('It is for trials')
  })

  it('leaves out what is switched off', async () => {
    const said = await notes('minimal')
    expect(said).not.toContain('helm -n')
    expect(said).not.toContain('migrations')
  })
})

/** Helm shows them only after an installation, so a copy of the chart has them in an object. */
async function notes(scenario: Scenario): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'chart-'))
  try {
    await cp(chart, copy, { recursive: true })
    const text = await readFile(join(chart, 'templates/NOTES.txt'), 'utf8')
    await writeFile(join(copy, 'templates/_notes.tpl'), `{{ define "notes" }}${text}{{ end }}`)
    await writeFile(join(copy, 'templates/notes.yaml'), 'notes: {{ include "notes" . | toJson }}')
    const flags = ['--namespace', 'shops', '--kube-version', '1.34.0', '--show-only', 'templates/notes.yaml']
    const { stdout, stderr } = await runHelm('template', 'shop', copy, ...flags, '-f', `ci/${scenario}-values.yaml`)
    if (stderr !== '') throw new Error(stderr)
    return JSON.parse(stdout.slice(stdout.indexOf('notes: ') + 'notes: '.length))
  } finally {
    await rm(copy, { recursive: true })
  }
}
