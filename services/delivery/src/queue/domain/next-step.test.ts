import { describe, expect, it } from 'vitest'
import { nextStep, pauseMs, type QueueView } from './next-step.ts'

const queue = {
  isKnown: true,
  isDue: false,
  isOnlineDue: false,
  changedAt: 7,
  nextInMs: Number.POSITIVE_INFINITY,
} as const
const unknown = { isKnown: false } as const
const allPlayers = ['any', 'some', 'none', 'absent'] as const

describe('the next step of a poll', () => {
  it.each(allPlayers)('gives out what is due for everybody, or may be (players: %s)', (players) => {
    expect(nextStep(unknown, players)).toEqual({ action: 'give-out' })
    expect(nextStep({ ...queue, isDue: true }, players)).toEqual({ action: 'give-out' })
  })

  it.each(allPlayers)('waits while nothing is due (players: %s)', (players) => {
    expect(nextStep(queue, players)).toEqual({ action: 'wait' })
  })

  it('depends on the players while only commands of players are due', () => {
    const onlineDue = { ...queue, isOnlineDue: true }
    expect(allPlayers.map((players) => nextStep(onlineDue, players))).toEqual([
      { action: 'give-out' },
      { action: 'check-players', changedAt: 7 },
      { action: 'wait' },
      { action: 'wait' },
    ])
  })
})

describe('the pause of a poll', () => {
  it.each<[string, QueueView, number, number]>([
    ['ends when the next command is available', { ...queue, nextInMs: 300 }, 10_000, 300],
    ['is a second at most', queue, 10_000, 1000],
    ['is 50 ms at least', { ...queue, nextInMs: 1 }, 10_000, 50],
    ['is short while the queue is unknown', unknown, 10_000, 50],
    ['never exceeds the time that is left', queue, 20, 20],
  ])('%s', (_what, view, leftMs, expected) => {
    expect(pauseMs(view, leftMs)).toBe(expected)
  })
})
