import type { Container, PodSpec } from './kubernetes-object.ts'

/** What the restricted level of Pod Security, and this chart beyond it, forbids about a pod. */
export function breachesOfRestricted(pod: PodSpec): string[] {
  const { securityContext: security = {}, volumes = [] } = pod
  const found = [
    ...['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => pod[name]),
    ...(security.runAsNonRoot === true ? [] : ['runAsNonRoot is not true']),
    ...(security.runAsUser >= 10_000 ? [] : ['runAsUser is below 10000']),
    ...(['RuntimeDefault', 'Localhost'].includes(security.seccompProfile?.type) ? [] : ['no seccomp profile']),
    ...(pod.automountServiceAccountToken === false ? [] : ['the token of the account is mounted']),
    ...volumes.filter((volume: object) => !Object.keys(volume).some((kind) => allowedVolumes.has(kind))).map(nameOf),
  ]
  return [...found, ...[...pod.containers, ...(pod.initContainers ?? [])].flatMap(breachesOfContainer)]
}

const allowedVolumes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
])

function nameOf({ name }: { name: string }): string {
  return `volume ${name} is of a forbidden kind`
}

function breachesOfContainer({
  name,
  securityContext: security = {},
  ports = [],
  volumeMounts = [],
}: Container): string[] {
  const { capabilities = {} } = security
  return [
    ...(security.privileged ? ['privileged'] : []),
    ...(security.allowPrivilegeEscalation === false ? [] : ['may gain privileges']),
    ...(security.runAsNonRoot === false || security.runAsUser < 10_000 ? ['runs as root'] : []),
    ...(security.readOnlyRootFilesystem === true ? [] : ['may write to its root']),
    ...(JSON.stringify(capabilities.drop) === '["ALL"]' ? [] : ['keeps capabilities']),
    ...((capabilities.add ?? []).length === 0 ? [] : ['adds capabilities']),
    ...(ports.some(({ hostPort }: { hostPort?: number }) => hostPort) ? ['takes a port of the host'] : []),
    ...(volumeMounts.some(({ mountPath }: { mountPath: string }) => mountPath === '/tmp') ? [] : ['has no /tmp']),
  ].map((breach) => `${name}: ${breach}`)
}
