import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../../src/openapi/document.ts'
import { endpoints } from '../../src/routes/index.ts'

/** The linters with their recommended rules. Each returns its errors and warnings, one line each. */
const linters: Record<string, (document: string) => Promise<string[]>> = {
  async redocly(source) {
    // Storekeep grants no license yet, so the document names none.
    const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } })
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)
  },
  async spectral(source) {
    const spectral = new spectralCore.Spectral()
    spectral.setRuleset({ extends: [oas as RulesetDefinition] })
    const results = await spectral.run(source)
    return results.map(({ code, path }) => `${code} #/${path.join('/')}`)
  },
  async swaggerParser(source) {
    return await SwaggerParser.validate(JSON.parse(source)).then(
      () => [],
      (error: Error) => [error.message],
    )
  },
}

/** The types of any event, for the SDK. No operation refers to them, because each event type has a separate webhook. */
const unused = /^(no-unused-components|oas3-unused-component) #\/components\/schemas\/WebhookEvent(Type)?$/

const faulty = {
  openapi: '3.1.1',
  info: { title: 'Faulty', version: 'v1' },
  paths: { '/v1/things': { get: { operationId: 'listThings', responses: 'none' } } },
}

describe.each(Object.entries(linters))('%s', (name, lint) => {
  it('finds neither errors nor warnings in the OpenAPI document', async () => {
    const problems = await lint(JSON.stringify(describeApi(endpoints)))
    expect(problems.filter((problem) => !unused.test(problem))).toEqual([])
  })

  it('finds the faults of another document (negative control)', async () => {
    const expected = {
      redocly: ['struct #/paths/~1v1~1things/get/responses'],
      spectral: ['info-contact #/info', 'operation-tags #/paths//v1/things/get'],
      swaggerParser: [expect.stringContaining('responses')],
    }
    expect(await lint(JSON.stringify(faulty))).toEqual(expect.arrayContaining(expected[name as keyof typeof expected]))
  })
})
