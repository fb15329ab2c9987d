/** A rendered object. Tests look into it by path, so its parts are whatever Helm wrote. */
export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests check.
  [member: string]: any
}

/** The part of a pod that tests look at. */
export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  [member: string]: any
}

export interface Container {
  name: string
  image: string
  command?: string[]
  env?: EnvironmentVariable[]
  envFrom?: { configMapRef?: { name: string } }[]
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  [member: string]: any
}

export interface EnvironmentVariable {
  name: string
  value?: string
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } }
}
