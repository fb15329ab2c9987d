import type { Container, KubernetesObject, PodSpec } from './kubernetes-object.ts'

/** The objects of one rendering. */
export class Manifest {
  readonly objects: readonly KubernetesObject[]

  constructor(objects: readonly KubernetesObject[]) {
    this.objects = objects
  }

  all(kind: string): KubernetesObject[] {
    return this.objects.filter((one) => one.kind === kind)
  }

  names(kind: string): string[] {
    return this.all(kind)
      .map(({ metadata }) => metadata.name)
      .sort()
  }

  /** @throws Error unless exactly one object has this kind and name */
  one(kind: string, name: string): KubernetesObject {
    const [found, second] = this.all(kind).filter(({ metadata }) => metadata.name === name)
    if (!found || second) throw new Error(`Expected one ${kind} ${name}, found: ${this.names(kind).join(', ')}.`)
    return found
  }

  /** The pod of the Deployment of a service or the gateway. */
  pod(component: string): PodSpec {
    const prefix = this.all('Deployment').find(({ metadata }) => metadata.name.endsWith(`-${component}`))
    return prefix?.spec.template.spec
  }

  /** The container of that pod that runs the component; sidecars follow it. */
  container(component: string): Container {
    const [container] = this.pod(component).containers
    if (!container) throw new Error(`${component} has no container.`)
    return container
  }

  /** Every setting that a component receives: its value, or `secret/key`. */
  settings(component: string): Record<string, string> {
    const { env = [], envFrom = [] } = this.container(component)
    const plain = envFrom.flatMap(({ configMapRef }) =>
      configMapRef ? this.one('ConfigMap', configMapRef.name).data : [],
    )
    const named = env.map(({ name, value, valueFrom }) => {
      const place = valueFrom?.secretKeyRef
      return [name, place ? `${place.name}/${place.key}` : (value ?? '')]
    })
    return { ...Object.assign({}, ...plain), ...Object.fromEntries(named) }
  }

  /** Every pod, including pods of Jobs and bundled servers. */
  pods(): { owner: string; spec: PodSpec }[] {
    return this.objects.flatMap((one) => {
      const spec = one.kind === 'Pod' ? one.spec : one.spec?.template?.spec
      return spec?.containers ? [{ owner: `${one.kind} ${one.metadata.name}`, spec }] : []
    })
  }
}
