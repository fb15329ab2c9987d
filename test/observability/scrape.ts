/** The metrics of one or more processes. */
export interface Scrape {
  /** Sample names, such as `…_bucket`, with their labels and the values of each label. */
  samples: Map<string, Map<string, Set<string>>>
  /** Metric types, including metrics without samples. */
  types: Map<string, string>
  helps: Map<string, string>
}

/** Parses the Prometheus text format. */
export function readScrape(texts: readonly string[]): Scrape {
  const scrape: Scrape = { samples: new Map(), types: new Map(), helps: new Map() }
  for (const line of texts.join('\n').split('\n')) readLine(scrape, line)
  return scrape
}

function readLine({ samples, types, helps }: Scrape, line: string): void {
  const [, kind, described, rest] = /^# (TYPE|HELP) (\S+) (.*)$/.exec(line) ?? []
  if (described !== undefined) {
    if (kind === 'TYPE') types.set(described, rest ?? '')
    else helps.set(described, rest ?? '')
    return
  }
  const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
  if (name === undefined) return
  const known = samples.get(name) ?? new Map<string, Set<string>>()
  samples.set(name, known)
  for (const [, label = '', value = ''] of labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)) {
    known.set(label, (known.get(label) ?? new Set()).add(value))
  }
}
