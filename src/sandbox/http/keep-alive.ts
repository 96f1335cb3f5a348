/**
 * For how long an idle connection stays open. Node's five seconds end on a machine that stands
 * still while the next request is on its way: a client without a retry would see a connection
 * that broke.
 */
export const KEEP_ALIVE = { keepAliveTimeout: 120_000 }
