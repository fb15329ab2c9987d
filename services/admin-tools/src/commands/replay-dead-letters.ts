import { AdminError, type Command } from '../command.ts'

export const replayDeadLetters: Command = {
  name: 'replay-dead-letters',
  summary: 'Replays the dead-letter events of a service after you have fixed the cause.',
  options: [
    { name: 'service', value: '<name>', help: 'The service whose consumers gave up on the events.', required: true },
    { name: 'consumer', value: '<name>', help: 'Only this consumer, as labeled in the metric dead_letters.' },
  ],
  examples: ['--service customers', '--service customers --consumer customers-profiles'],
  async run(values, { operations, call }) {
    const name = values.required('service')
    const consumer = values.optional('consumer')
    const service = operations.get(name)
    if (!service) throw new AdminError(`--service must be one of ${[...operations.keys()].join(', ')}.`)
    const request = consumer === undefined ? {} : { consumer }
    const { count, failed } = await service.replayDeadLetters(request, { ...call(), deadlineMs })
    return { records: [{ service: name, consumer: consumer ?? null, replayed: count, failed }], list: false }
  },
}

/** Long enough to replay thousands of events. */
const deadlineMs = 300_000
