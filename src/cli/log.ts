import pino, { type DestinationStream, type LevelWithSilentOrString, type Logger } from 'pino'

/**
 * Of an error only what helps to find its place: a driver hangs its whole connection on an error, and with it what no log may hold.
 */
function briefError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return {
    type: name,
    message,
    ...('code' in error && { code: error.code }),
    stack,
    ...(cause !== undefined && { cause: briefError(cause) }),
  }
}

const options = (level: LevelWithSilentOrString) => ({ level, serializers: { err: briefError } })

/** For a process that people or machines watch: a terminal gets lines to read, everything else JSON. */
export const serverLog = (level: LevelWithSilentOrString): Logger =>
  pino({
    ...options(level),
    ...(process.stdout.isTTY && {
      transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  })

/** For a command: what it answers goes to stdout, so this goes elsewhere. */
export const commandLog = (
  level: LevelWithSilentOrString,
  destination: DestinationStream = pino.destination(2),
): Logger => pino(options(level), destination)
