import type { Container, PodSpec } from './kubernetes-object.ts'

/** Violations of the restricted Pod Security Standard and of the stricter rules of this chart. */
export function podSecurityViolations(pod: PodSpec): string[] {
  const { securityContext: security = {}, volumes = [] } = pod
  const found = [
    ...['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => pod[name]),
    ...(security.runAsNonRoot === true ? [] : ['runAsNonRoot is not true']),
    ...(security.runAsUser >= 10_000 ? [] : ['runAsUser is below 10000']),
    ...(['RuntimeDefault', 'Localhost'].includes(security.seccompProfile?.type) ? [] : ['no seccomp profile']),
    ...(pod.automountServiceAccountToken === false ? [] : ['the service account token is mounted']),
    ...volumes.filter((volume: object) => !Object.keys(volume).some((kind) => allowedVolumes.has(kind))).map(nameOf),
  ]
  return [...found, ...[...pod.containers, ...(pod.initContainers ?? [])].flatMap(containerViolations)]
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
  return `volume ${name} has a forbidden type`
}

function containerViolations({
  name,
  securityContext: security = {},
  ports = [],
  volumeMounts = [],
}: Container): string[] {
  const { capabilities = {} } = security
  return [
    ...(security.privileged ? ['privileged'] : []),
    ...(security.allowPrivilegeEscalation === false ? [] : ['allows privilege escalation']),
    ...(security.runAsNonRoot === false || security.runAsUser < 10_000 ? ['runs as root'] : []),
    ...(security.readOnlyRootFilesystem === true ? [] : ['has a writable root file system']),
    ...(JSON.stringify(capabilities.drop) === '["ALL"]' ? [] : ['keeps capabilities']),
    ...((capabilities.add ?? []).length === 0 ? [] : ['adds capabilities']),
    ...(ports.some(({ hostPort }: { hostPort?: number }) => hostPort) ? ['uses a host port'] : []),
    ...(volumeMounts.some(({ mountPath }: { mountPath: string }) => mountPath === '/tmp') ? [] : ['has no /tmp']),
  ].map((violation) => `${name}: ${violation}`)
}
