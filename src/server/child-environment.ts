/**
 * What child processes get of our environment. It holds passwords, tokens and keys, and another program
 * exposes its environment through /proc/PID/environ, core dumps and its own children; so each gets an allowed
 * list of names, and nothing else.
 */

/**
 * For a program that is not ours, such as Postgres: the search path, and what its loader needs. The locale is
 * fixed, whatever ours is.
 */
export const environmentOfPrograms = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  ...only(/^(PATH|TZ|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH)$/, env),
  ...only(WINDOWS, env),
  LC_ALL: 'C',
})

/**
 * For a process or a thread of ours: in addition, what Node itself reads (certificates, its own switches) and
 * how Postgres is reached where DATABASE_URL leaves something out. Its settings come as a message, with only
 * the secrets that it needs.
 */
export const environmentOfOurs = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  ...only(/^(PATH|TZ|LANG|LC_\w+|HOME|TMPDIR|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH)$/, env),
  ...only(/^(NODE_(ENV|OPTIONS|EXTRA_CA_CERTS|USE_\w+|TLS_\w+|DEBUG|V8_COVERAGE)|SSL_CERT_(FILE|DIR))$/, env),
  ...only(/^(https?_proxy|no_proxy|all_proxy)$/i, env),
  ...only(/^PG(HOST|PORT|USER|PASSWORD|PASSFILE|DATABASE|SSL\w+|APPNAME|OPTIONS)$/, env),
  ...only(WINDOWS, env),
})

/** No program starts there without these. */
const WINDOWS = /^(SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|TEMP|TMP)$/i

const only = (names: RegExp, env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => names.test(name)))
