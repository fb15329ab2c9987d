import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findPromtool } from '@storekeep/local/infra'
import { describe, expect, it } from 'vitest'
import { alerts, alertsFile, alertTestFiles, alertTests } from './files.ts'

/** Garbage collection as often as by default would double the CPU time. */
const env = { ...process.env, GOGC: '400' }

describe('the alert tests', () => {
  it('name only alerts that exist', () => {
    const names = alerts.map(({ alert }) => alert)
    expect(alertTests.filter(({ alertname }) => !names.includes(alertname))).toEqual([])
  })

  it('expect every page to fire', () => {
    const fired = new Set(alertTests.filter((test) => test.exp_alerts).map(({ alertname }) => alertname))
    const pages = alerts.filter(({ labels }) => labels?.severity === 'page').map(({ alert }) => alert)
    expect(pages.filter((page) => !fired.has(page))).toEqual([])
  })

  it.each([
    ['check', [alertsFile]],
    ['test', alertTestFiles],
  ])('pass promtool %s rules', async (verb, files) => {
    // Its exit code is 1 and its output names the failed rules if one fails.
    await promisify(execFile)(await findPromtool(), [verb, 'rules', ...files], { env })
  })
})
