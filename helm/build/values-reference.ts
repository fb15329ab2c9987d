import { isMap, type Node, type Pair, parseDocument, type Scalar, type YAMLMap } from 'yaml'

/** The reference of all values: a section for each top-level value, with its comment and a table of the values in it. */
export function describeValues(text: string): string {
  const document = parseDocument(text)
  const parts = entriesOf(document.contents as YAMLMap).map(({ name, comment, value }) => {
    const rows = tableOf(name, value)
    const sentence = isMap(value) && rows.length > 0 ? comment : `${comment} The default is ${defaultOf(value)}.`
    return [
      `### \`${name}\``,
      '',
      sentence,
      ...(rows.length > 0 ? ['', '| value | default | meaning |', '|---|---|---|', ...rows] : []),
      '',
    ]
  })
  return parts.flat().join('\n').trimEnd()
}

/** Every value with its comment. */
export function commentsOf(text: string): { path: string; comment: string }[] {
  const found: { path: string; comment: string }[] = []
  const visit = (map: YAMLMap, prefix: string) => {
    for (const { name, comment, value } of entriesOf(map)) {
      found.push({ path: `${prefix}${name}`, comment })
      if (isDescribed(value)) visit(value as YAMLMap, `${prefix}${name}.`)
    }
  }
  visit(parseDocument(text).contents as YAMLMap, '')
  return found
}

function tableOf(prefix: string, value: Node | null): string[] {
  if (!isDescribed(value)) return []
  return entriesOf(value as YAMLMap).flatMap(({ name, comment, value: inner }) => {
    const path = `${prefix}.${name}`
    const rows = tableOf(path, inner)
    return [`| \`${path}\` | ${rows.length > 0 ? '' : defaultOf(inner)} | ${comment.replaceAll('|', '\\|')} |`, ...rows]
  })
}

/** A map without comments inside is documented as one value. */
function isDescribed(value: Node | null): boolean {
  return isMap(value) && entriesOf(value).some(({ comment }) => comment !== '')
}

function entriesOf(map: YAMLMap): Entry[] {
  return (map.items as Pair<Scalar<string>, Node | null>[]).map(({ key, value }, index) => {
    // yaml attaches the comment of the first key to the map.
    const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined) ?? ''
    return {
      name: key.value,
      comment: comment
        .split('\n')
        .map((line) => line.trim())
        .join(' ')
        .trim(),
      value,
    }
  })
}

function defaultOf(value: Node | null): string {
  const text = JSON.stringify(value?.toJSON())
  return text === '""' ? 'empty' : `\`${text}\``
}

interface Entry {
  name: string
  comment: string
  value: Node | null
}
