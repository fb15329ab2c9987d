import { AdminError, type Command } from '../command.ts'

export const replayDeadLetters: Command = {
  name: 'replay-dead-letters',
  summary: 'Has a service take the events again that it gave up, once their cause is mended.',
  flags: [
    { name: 'service', value: '<name>', help: 'The service that gave them up.', required: true },
    { name: 'consumer', value: '<name>', help: 'Only those of this consumer, as the metric dead_letters names it.' },
  ],
  examples: ['--service customers', '--service customers --consumer customers-profiles'],
  async run(values, { operations, call }) {
    const name = values.text('service')
    const consumer = values.optional('consumer')
    const service = operations.get(name)
    if (!service) throw new AdminError(`--service must be one of ${[...operations.keys()].join(', ')}.`)
    const request = consumer === undefined ? {} : { consumer }
    const { count } = await service.replayDeadLetters(request, { ...call(), deadlineMs })
    return { records: [{ service: name, consumer: consumer ?? null, replayed: count }], list: false }
  },
}

/** There may be many. */
const deadlineMs = 300_000
