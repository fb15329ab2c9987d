import { expect, it } from 'vitest'
import { components } from './src/code.ts'
import { evaluate } from './src/evaluate.ts'
import { describeWithHelm } from './src/helm.ts'
import { render } from './src/render.ts'

describeWithHelm('the Deployments', async () => {
  const usual = await render('default')
  const ha = await render('ha')

  it.each(components)('pods of %s are never fewer during a rollout', (name) => {
    expect(usual.one('Deployment', `shop-storekeep-${name}`).spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    })
  })

  it('are replaced more slowly than DNS caches expire, with two replicas', () => {
    const { minReadySeconds } = usual.one('Deployment', 'shop-storekeep-stores').spec
    const dnsCacheSeconds = 30
    expect(2 * minReadySeconds + 5).toBeGreaterThan(dnsCacheSeconds)
  })

  it.each(components)('pods of %s spread over zones and nodes, counting only pods of the same revision', (name) => {
    const rules = usual.pod(name).topologySpreadConstraints
    expect(rules.map(({ topologyKey }: { topologyKey: string }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ])
    for (const rule of rules) {
      expect(rule).toMatchObject({ whenUnsatisfiable: 'ScheduleAnyway', matchLabelKeys: ['pod-template-hash'] })
      expect(rule.labelSelector.matchLabels['app.kubernetes.io/component']).toBe(name)
    }
  })

  // `helm template` has no cluster to look up the Deployment in, so the helper receives it.
  it.each([
    ['the current number of pods', 8, 8],
    ['at least minReplicas', 1, 3],
  ])('keep %s with autoscaling', async (_what, current, expected) => {
    const component = { autoscaling: { enabled: true, minReplicas: 3 }, replicaCount: 8 }
    const context = JSON.stringify(JSON.stringify({ component, live: { spec: { replicas: current } } }))
    const expression = `include "storekeep.replicas" (fromJson ${context})`
    expect(await evaluate([{ expression }])).toEqual([String(expected)])
  })

  it('have no fixed number of replicas with autoscaling', () => {
    expect(ha.one('Deployment', 'shops-stores').spec.replicas).toBeUndefined()
    expect(ha.one('Deployment', 'shops-bans').spec.replicas).toBe(4)
    expect(ha.names('HorizontalPodAutoscaler')).toEqual(
      components
        .filter((name) => name !== 'bans')
        .map((name) => `shops-${name}`)
        .sort(),
    )
    expect(ha.one('HorizontalPodAutoscaler', 'shops-gateway').spec).toMatchObject({
      minReplicas: 3,
      maxReplicas: 12,
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
      metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 70 } } }],
    })
  })

  it('have a PodDisruptionBudget that ignores unready pods', () => {
    expect(ha.one('PodDisruptionBudget', 'shops-stores').spec).toMatchObject({
      minAvailable: 2,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    })
  })
})
