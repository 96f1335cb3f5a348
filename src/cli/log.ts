import pino, { type DestinationStream, type LevelWithSilentOrString, type Logger } from 'pino'
import { errorSummary } from '#server/error-summary.ts'

const options = (level: LevelWithSilentOrString) => ({ level, serializers: { err: errorSummary } })

/** For a process that people or machines watch: a terminal gets lines to read, everything else JSON. */
export const serverLog = (level: LevelWithSilentOrString): Logger =>
  pino({
    ...options(level),
    ...(process.stdout.isTTY && {
      transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  })

/** For a command: its result goes to stdout, so the log goes elsewhere. */
export const commandLog = (
  level: LevelWithSilentOrString,
  destination: DestinationStream = pino.destination(2),
): Logger => pino(options(level), destination)
