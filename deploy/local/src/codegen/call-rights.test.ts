import { type CallerName, callerNames, serverNames, serversOf } from '@storekeep/proto/conventions/call-rights'
import { describe, expect, it } from 'vitest'
import { adminTools, gateway, pages, services } from '../../../topology.ts'

describe('deploy/topology.ts and proto/conventions/call-rights.ts', () => {
  it('name the same services', () => {
    expect([...serverNames].sort()).toEqual(services.map(({ name }) => name).sort())
  })

  it('agree on who calls whom: every edge has a right, and every right an edge', () => {
    const edges = new Map<string, readonly string[]>(services.map(({ name, calls }) => [name, calls]))
    edges.set('gateway', gateway.calls)
    edges.set('admin-tools', adminTools.calls)
    edges.set('pages', pages.calls)
    for (const [caller, called] of edges) {
      const rights = callerNames.some((name) => name === caller) ? serversOf(caller as CallerName) : []
      expect([caller, [...called].sort()]).toEqual([caller, [...rights].sort()])
    }
    expect(callerNames.filter((caller) => !edges.has(caller))).toEqual([])
  })
})
