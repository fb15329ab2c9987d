export type GenerationState = 'running' | 'live' | 'replaced' | 'failed'

export interface GenerationRow {
  id: string
  indexVersion: number
  state: GenerationState
  startedAt: Date
  filledAt: Date | null
  finishedAt: Date | null
  problem: string | null
}

export interface GenerationPartRow {
  aggregate: string
  afterStoreId: string
  afterId: string
  filled: string
  isFilled: boolean
  checked: string
  drifted: string
}
