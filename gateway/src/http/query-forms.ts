import type { z } from 'zod'
import type { ParameterForm } from './query.ts'

/** The form of each parameter in a query schema: an array is repeated, a record is a map, anything else occurs once. */
export function queryForms(schema: z.ZodObject): ReadonlyMap<string, ParameterForm> {
  return new Map(Object.entries(schema.shape).map(([name, field]) => [name, formOf(field as z.core.$ZodType)]))
}

function formOf(field: z.core.$ZodType): ParameterForm {
  const { def } = field._zod
  if (def.type === 'array') return 'repeated'
  if (def.type === 'record') return 'map'
  if ('innerType' in def) return formOf(def.innerType as z.core.$ZodType)
  if (def.type === 'pipe' && 'in' in def) return formOf(def.in as z.core.$ZodType)
  return 'one'
}
