import * as attributes from '@kubernetes/client-node/dist/gen/models/all.js'
import * as certManager from '@kubernetes-models/cert-manager/cert-manager.io/v1'
import * as gateway from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1'
import * as monitoring from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as batch from 'kubernetes-models/batch/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import type { KubernetesObject } from './kubernetes-object.ts'

/** Everything that the API server would reject in an object: unknown kinds and fields, wrong types and missing fields. */
export function invalidFields(object: KubernetesObject): string[] {
  const { apiVersion, kind } = object
  const model = (models[apiVersion] as Record<string, Model> | undefined)?.[kind]
  if (!model) return [`${apiVersion} ${kind} does not exist`]
  return [...wrongTypes(new model(object)), ...unknownFields(object, attributeType(apiVersion, kind), kind)]
}

const models: Record<string, object> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  'cert-manager.io/v1': certManager,
  'gateway.networking.k8s.io/v1': gateway,
  'monitoring.coreos.com/v1': monitoring,
}

type Model = new (data: object) => { validate(): void }

function wrongTypes(instance: { validate(): void }): string[] {
  try {
    instance.validate()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** Returns a type such as `V1Deployment`. Custom resources have no attribute map. */
function attributeType(apiVersion: string, kind: string): string {
  const version = apiVersion.split('/').at(-1) ?? ''
  return `${version.charAt(0).toUpperCase()}${version.slice(1)}${kind}`
}

function unknownFields(value: unknown, type: string, path: string): string[] {
  const array = /^Array<(.+)>$/.exec(type)?.[1]
  if (array !== undefined) {
    return Array.isArray(value) ? value.flatMap((item, at) => unknownFields(item, array, `${path}[${at}]`)) : []
  }
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1]
  const entries = Object.entries(value !== null && typeof value === 'object' ? value : {})
  if (map !== undefined) return entries.flatMap(([name, item]) => unknownFields(item, map, `${path}.${name}`))
  const known = (attributes as unknown as Record<string, HasAttributes>)[type]?.getAttributeTypeMap?.()
  if (!known) return []
  return entries.flatMap(([name, item]) => {
    const field = known.find(({ baseName }) => baseName === name)
    return field ? unknownFields(item, field.type, `${path}.${name}`) : [`${path}.${name} does not exist`]
  })
}

interface HasAttributes {
  getAttributeTypeMap?(): { baseName: string; type: string }[]
}
