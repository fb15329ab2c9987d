import { deliveryLimits } from '@storekeep/proto/conventions/limits'

/** Commands in one response. */
export const maxCommands = deliveryLimits.commandsPerPoll

/**
 * A command is stuck that was given out this often, or for the first time this long ago, without an acknowledgement (contract
 * "Delivery", the interface for game servers).
 */
export const stuckAfter = { timesGivenOut: 20, hours: 24 } as const
