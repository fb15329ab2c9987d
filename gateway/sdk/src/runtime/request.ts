/**
 * Builds the path of a request from ids. An id that is empty or not a string would address another operation.
 * @public the generated methods use it
 */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return parts.reduce((text, part, index) => text + encodeId(ids[index - 1]) + part)
}

function encodeId(id: unknown): string {
  if (typeof id !== 'string') throw new TypeError(`Ids are strings; this one is of type ${typeof id}`)
  if (id === '' || id === '.' || id === '..') throw new TypeError(`"${id}" is not an id`)
  return encodeURIComponent(id)
}

/** A query string: lists repeat their name, maps become `name[key]`. Fields without a value are left out. */
export function formatQuery(query: object | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) append(parameters, name, value)
  return parameters.toString()
}

function append(parameters: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) for (const item of value) append(parameters, name, item)
  else if (value instanceof Date) parameters.append(name, value.toISOString())
  else if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) append(parameters, `${name}[${key}]`, inner)
  } else parameters.append(name, String(value))
}
