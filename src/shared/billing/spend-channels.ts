import type { Channel } from '#shared/channels/catalogue.ts'

/**
 * The channels that have a cost of their own, in the order of a statement's lines: of equal remainders the
 * first has the step.
 */
export const spendChannels = ['fb', 'aw', 'yg', 'tt', 'ln'] as const satisfies readonly Channel[]
export type SpendChannel = (typeof spendChannels)[number]
