/** A path template with each `{name}` replaced: by the path parameter of that name, or else the member of the body. */
export function fillTemplate(template: string, params: object, body: unknown): string {
  const values: Record<string, unknown> = { ...(body as object), ...params }
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name]
    if (typeof value !== 'string') throw new Error(`Nothing to put in place of {${name}} of ${template}`)
    return encodeURIComponent(value)
  })
}
