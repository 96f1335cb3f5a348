/**
 * For how long a connection that nobody uses stays open. Node's five seconds end on a machine that stands
 * still while the next request is on its way: whoever asks without trying again would be told of a connection
 * that broke.
 */
export const KEEP_ALIVE = { keepAliveTimeout: 120_000 }
