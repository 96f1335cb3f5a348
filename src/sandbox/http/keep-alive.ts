/**
 * For how long an idle connection stays open. Node's five seconds may end on a paused machine while the next
 * request is on its way: a client without a retry would see a broken connection.
 */
export const KEEP_ALIVE = { keepAliveTimeout: 120_000 }
