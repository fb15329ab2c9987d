import fc from 'fast-check'

/** A placeholder for an id, as text: the name of its field or parameter, and a number that selects the id. */
export function idHole(name: string): fc.Arbitrary<string> {
  return fc.nat({ max: 999_983 }).map((draw) => `{{id ${name} ${draw}}}`)
}

/** Replaces every placeholder in a value by an id. */
export function fillHoles(value: unknown, idFor: (name: string, draw: number) => string): unknown {
  if (typeof value === 'string') {
    const [, name, draw] = hole.exec(value) ?? []
    return name === undefined ? value : idFor(name, Number(draw))
  }
  if (Array.isArray(value)) return value.map((item) => fillHoles(item, idFor))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillHoles(item, idFor)]))
}

export function isHole(text: string | undefined): boolean {
  return text !== undefined && hole.test(text)
}

const hole = /^\{\{id (\S*) (\d+)\}\}$/
