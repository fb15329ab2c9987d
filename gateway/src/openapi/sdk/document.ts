/** The parts of our OpenAPI document that the SDK and its samples are generated from. */
export interface Document {
  openapi: string
  info: { title: string; version: string }
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface Operation {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: Body & { required?: boolean }
  responses: Record<string, Body & { headers?: object }>
  'x-codeSamples'?: { source: string }[]
}

export interface Parameter {
  in: 'path' | 'query' | 'header' | 'cookie'
  name: string
  description?: string
  required?: boolean
  schema?: Schema
}

export interface Body {
  content?: Record<string, { schema?: Schema; example?: unknown }>
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}

const json = 'application/json'

/** The JSON schema of a request or response body, if it has one. */
export function schemaOf(body: Body | undefined): Schema | undefined {
  return body?.content?.[json]?.schema
}

/** The name of the component that a schema refers to. */
export function refName(schema: Schema | undefined): string | undefined {
  return schema?.$ref?.split('/').at(-1)
}
