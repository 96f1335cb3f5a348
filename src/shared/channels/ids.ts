/**
 * One kind of source, in the order in which it is offered. Apart from what they are called: every address is
 * read with them.
 */
export const channelIds = ['fb', 'aw', 'aw_keyword', 'yg', 'tt', 'ln', 'ga', 'ga_event', 'ga4'] as const
