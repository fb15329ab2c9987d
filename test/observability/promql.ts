import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** A vector selector of a query. */
export interface Selection {
  metric: string
  /** Matched labels, with the value for equality matchers. */
  matchers: readonly { label: string; value: string | undefined }[]
  /** Labels of the aggregations around it. */
  groupings: readonly string[]
}

/**
 * The vector selectors of a query.
 * @throws Error if the query is not valid PromQL
 */
export function selectionsOf(query: string): Selection[] {
  // Grafana variables for durations.
  const text = query.replaceAll(/\$__(rate_interval|range|interval)/g, '5m')
  const found: Selection[] = []
  const groupings: string[][] = []
  parser.parse(text).iterate({
    enter(ref) {
      const { node, name } = ref
      if (ref.type.isError) throw new Error(`Invalid PromQL at ${ref.from}: ${text}`)
      if (name === 'AggregateExpr') groupings.push(textsOf(node.getChild('AggregateModifier'), 'LabelName', text))
      if (name === 'VectorSelector') found.push(selectionOf(node, text, groupings.flat()))
    },
    leave({ name }) {
      if (name === 'AggregateExpr') groupings.pop()
    },
  })
  return found
}

function selectionOf(node: SyntaxNode, text: string, groupings: string[]): Selection {
  const identifier = node.getChild('Identifier')
  if (!identifier) throw new Error(`A selector has no metric name: ${text}`)
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
  return { metric: slice(text, identifier), groupings, matchers: matchers.map((one) => matcherOf(one, text)) }
}

function matcherOf(node: SyntaxNode, text: string): Selection['matchers'][number] {
  const [label = ''] = textsOf(node, 'LabelName', text)
  const [operator] = textsOf(node, 'MatchOp', text)
  const [value = '""'] = textsOf(node, 'StringLiteral', text)
  return { label, value: operator === '=' ? value.slice(1, -1) : undefined }
}

/** The texts of all descendants with that name. */
function textsOf(node: SyntaxNode | null, name: string, text: string): string[] {
  const found: string[] = []
  node?.cursor().iterate((ref) => {
    if (ref.name === name) found.push(text.slice(ref.from, ref.to))
    return ref.from < node.to
  })
  return found
}

function slice(text: string, { from, to }: { from: number; to: number }): string {
  return text.slice(from, to)
}
