/** A rendered object. Tests access its fields by path, so they are not typed. */
export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: tests check the shape.
  [field: string]: any
}

/** The fields of a pod that tests access. */
export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  [field: string]: any
}

export interface Container {
  name: string
  image: string
  command?: string[]
  env?: EnvironmentVariable[]
  envFrom?: { configMapRef?: { name: string } }[]
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  [field: string]: any
}

export interface EnvironmentVariable {
  name: string
  value?: string
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } }
}
