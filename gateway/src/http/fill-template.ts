/** Replaces each `{name}` of a path template with the path parameter of that name, or else the field of the body. */
export function fillTemplate(template: string, params: object, body: unknown): string {
  const values: Record<string, unknown> = { ...(body as object), ...params }
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name]
    if (typeof value !== 'string') throw new Error(`no value for {${name}} in ${template}`)
    return encodeURIComponent(value)
  })
}
