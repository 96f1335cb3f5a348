import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { identities } from '#shared/access.ts'
import { isTimeZone } from '#shared/zone-names.ts'
import { secret, webUrl } from './config-values.ts'
import { fileSettings, whyNoFiles } from './files-config.ts'

/** The settings of a process, named as the environment variables are, in lower case. */
export type Config = Settings & BaseUrls & { defaulted_base_urls: readonly BaseUrlName[] }

export type ConfigResult = { config: Config } | { problems: string[] }

/** Reads the environment; an empty variable is an absent one. All problems are reported at once. */
export function readConfig(env: Record<string, string | undefined>): ConfigResult {
  const values = Object.fromEntries(
    Object.keys(Environment.shape).flatMap(name => {
      const value = env[name.toUpperCase()]?.trim()
      return value ? [[name, value]] : []
    }),
  )
  const read = Environment.safeParse(values)
  if (!read.success)
    return {
      problems: read.error.issues.map(issue => `${String(issue.path[0]).toUpperCase()} ${issue.message}`),
    }

  const sandbox = read.data.sandbox ?? !(read.data.google_service_account_file || read.data.meta_access_token)
  if (!sandbox && !read.data.google_service_account_file)
    return {
      problems: [
        'GOOGLE_SERVICE_ACCOUNT_FILE is missing: without the sandbox, Sheetcast needs a service account to write spreadsheets (or set SANDBOX=1)',
      ],
    }
  if (read.data.smtp_url && !read.data.mail_from)
    return {
      problems: [
        'MAIL_FROM is missing: the address that e-mail is sent from, such as Sheetcast <reports@example.com>',
      ],
    }
  const files = whyNoFiles(read.data)
  if (files.length > 0) return { problems: files }
  return {
    config: {
      ...read.data,
      ...baseUrls(name => read.data[name] ?? followed(name, read.data) ?? REAL_BASE_URLS[name]),
      sandbox,
      data_dir: resolve(read.data.data_dir),
      sandbox_port: read.data.sandbox_port ?? 3100,
      sandbox_port_is_fixed: read.data.sandbox_port !== undefined,
      public_url: read.data.public_url ?? `http://localhost:${read.data.port}`,
      mail_from: read.data.mail_from ?? 'Sheetcast <sheetcast@localhost>',
      mail_group_seconds: read.data.mail_group_seconds ?? (sandbox ? 10 : 300),
      worker_processes: read.data.worker_processes ?? processesFor(availableParallelism()),
      mailbox_url: null,
      defaulted_base_urls: baseUrlNames.filter(
        name => read.data[name] === undefined && followed(name, read.data) === undefined,
      ),
    },
  }
}

/** The limits of one person. */
export const quotasOf = (config: Config) => ({
  reports: config.reports_per_person,
  folders: config.folders_per_person,
  issues_a_day: config.issues_per_day,
  spreadsheets_a_day: config.spreadsheets_per_day,
})

/**
 * Behind https there is a proxy: unless the number of proxies is set, all visitors have the address of the
 * last one.
 */
export const sharesOneAddress = ({ public_url, trust_proxy }: Pick<Config, 'public_url' | 'trust_proxy'>) =>
  public_url.startsWith('https:') && trust_proxy === 0

/**
 * One processor is left for HTTP requests; with more than four processes they would wait for quotas together.
 */
const processesFor = (processors: number) => Math.min(4, Math.max(1, processors - 1))

/**
 * Whether the product is meant to be reached from other machines: it listens on an address of theirs, or has
 * a public URL.
 */
export const isForOthers = ({ host, public_url }: Pick<Config, 'host' | 'public_url'>): boolean =>
  !isThisMachine(host) || !isThisMachine(new URL(public_url).hostname)

const isThisMachine = (host: string) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host)

/** Points everything that is not set to the running sandbox: base URLs, and the credentials that it made. */
export function withSandbox(
  config: Config,
  { port, dir, smtp_port }: { port: number; dir: string; smtp_port?: number },
): Config {
  const origin = `http://127.0.0.1:${port}`
  const pointed = config.defaulted_base_urls.map(name => {
    const { pathname } = new URL(REAL_BASE_URLS[name])
    return [name, origin + (SANDBOX_PATHS[name] ?? (pathname === '/' ? '' : pathname))]
  })
  return {
    ...config,
    ...Object.fromEntries(pointed),
    ...(config.smtp_url === null &&
      smtp_port !== undefined && {
        smtp_url: `smtp://127.0.0.1:${smtp_port}`,
        mailbox_url: `${origin}/mailbox`,
      }),
    google_service_account_file:
      config.google_service_account_file ??
      Array.from({ length: config.sandbox_system_users }, (_, index) =>
        join(dir, index === 0 ? 'service-account.json' : `service-account-${index + 1}.json`),
      ),
  }
}

/**
 * Two products of LY Corporation have the same paths, so the sandbox, which has one origin, sets them apart.
 */
const SANDBOX_PATHS: Partial<Record<BaseUrlName, string>> = {
  ly_search_base_url: '/ly-search',
  ly_display_base_url: '/ly-display',
}

const REAL_BASE_URLS = {
  meta_base_url: 'https://graph.facebook.com',
  meta_dialog_base_url: 'https://www.facebook.com',
  meta_business_base_url: 'https://business.facebook.com',
  google_ads_base_url: 'https://googleads.googleapis.com',
  google_data_manager_base_url: 'https://datamanager.googleapis.com',
  google_token_url: 'https://oauth2.googleapis.com/token',
  google_consent_url: 'https://accounts.google.com/o/oauth2/v2/auth',
  google_sheets_base_url: 'https://sheets.googleapis.com',
  google_drive_base_url: 'https://www.googleapis.com',
  ga4_data_base_url: 'https://analyticsdata.googleapis.com',
  ga4_admin_base_url: 'https://analyticsadmin.googleapis.com',
  ua_base_url: 'https://analyticsreporting.googleapis.com',
  ua_management_base_url: 'https://www.googleapis.com',
  ly_search_base_url: 'https://ads-search.yahooapis.jp',
  ly_display_base_url: 'https://ads-display.yahooapis.jp',
  ly_token_url: 'https://biz-oauth.yahoo.co.jp/oauth/v1/token',
  ly_consent_url: 'https://biz-oauth.yahoo.co.jp/oauth/v1/authorize',
  yahoo_dsp_base_url: 'https://dspapi.admanagerplus.yahoo.com',
  yahoo_dsp_report_base_url: 'https://api-sched-v3.admanagerplus.yahoo.com',
  yahoo_dsp_token_base_url: 'https://id.b2b.yahooinc.com',
  tiktok_base_url: 'https://business-api.tiktok.com',
  line_ads_base_url: 'https://ads.line.me',
}

/**
 * Parts of a platform that have hosts of their own in production, and are below the same base URL when it was
 * set by hand.
 */
const FOLLOWS: Partial<Record<BaseUrlName, BaseUrlName>> = {
  ua_management_base_url: 'ua_base_url',
  yahoo_dsp_report_base_url: 'yahoo_dsp_base_url',
  yahoo_dsp_token_base_url: 'yahoo_dsp_base_url',
}

const followed = (name: BaseUrlName, values: Partial<Record<BaseUrlName, string | undefined>>) => {
  const leader = FOLLOWS[name]
  return leader && values[leader]
}

type BaseUrlName = keyof typeof REAL_BASE_URLS
type BaseUrls = Record<BaseUrlName, string>

/** One value for each base URL; written out, so that the compiler counts them. */
function baseUrls<T>(of: (name: BaseUrlName) => T): Record<BaseUrlName, T> {
  return {
    meta_base_url: of('meta_base_url'),
    meta_dialog_base_url: of('meta_dialog_base_url'),
    meta_business_base_url: of('meta_business_base_url'),
    google_ads_base_url: of('google_ads_base_url'),
    google_data_manager_base_url: of('google_data_manager_base_url'),
    google_token_url: of('google_token_url'),
    google_consent_url: of('google_consent_url'),
    google_sheets_base_url: of('google_sheets_base_url'),
    google_drive_base_url: of('google_drive_base_url'),
    ga4_data_base_url: of('ga4_data_base_url'),
    ga4_admin_base_url: of('ga4_admin_base_url'),
    ua_base_url: of('ua_base_url'),
    ua_management_base_url: of('ua_management_base_url'),
    ly_search_base_url: of('ly_search_base_url'),
    ly_display_base_url: of('ly_display_base_url'),
    ly_token_url: of('ly_token_url'),
    ly_consent_url: of('ly_consent_url'),
    yahoo_dsp_base_url: of('yahoo_dsp_base_url'),
    yahoo_dsp_report_base_url: of('yahoo_dsp_report_base_url'),
    yahoo_dsp_token_base_url: of('yahoo_dsp_token_base_url'),
    tiktok_base_url: of('tiktok_base_url'),
    line_ads_base_url: of('line_ads_base_url'),
  }
}

const isBaseUrlName = (name: string): name is BaseUrlName => name in REAL_BASE_URLS
const baseUrlNames = Object.keys(REAL_BASE_URLS).filter(isBaseUrlName)

const isIpOrName = /^[\w.:-]+$/
const roles = ['api', 'worker', 'scheduler'] as const

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port, 0 to 65535')
  .transform(Number)
  .refine(value => value <= 65_535, 'must be a port, 0 to 65535')

const count = (least: number, most: number) => {
  const rule = `must be a whole number, ${least} to ${most}`
  return z
    .string()
    .regex(/^\d+$/, rule)
    .transform(Number)
    .refine(value => value >= least && value <= most, rule)
}

const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 0 or 1' })
  .transform(value => value === '1' || value === 'true')

/** Published in the documentation. */
export const PUBLISHED_DEMO_PASSWORD = 'sheetcast-demo'

const Environment = z.object({
  port: port.default(3000),
  host: z
    .string()
    .regex(isIpOrName, 'must be an address to listen on, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1'),
  public_url: webUrl.optional(),
  /**
   * Host names under which requests are answered, beside those of `public_url` and of this machine itself.
   */
  allowed_hosts: z
    .string()
    .transform(value => value.split(',').flatMap(name => name.trim().toLowerCase() || []))
    .pipe(
      z.array(
        z
          .string()
          .regex(
            /^(\[[\da-f:.]+\]|[a-z\d_][\w.-]*)$/,
            'must be names without ports, such as reports.example.com, with commas between them',
          ),
      ),
    )
    .nullable()
    .default(null),
  data_dir: z.string().default('./data'),
  database_url: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .nullable()
    .default(null),
  roles: z
    .string()
    .transform(value => value.split(',').map(role => role.trim()))
    .pipe(z.array(z.enum(roles, { error: `must be a list of ${roles.join(', ')}` })))
    .default([...roles]),
  sandbox: flag.optional(),
  sandbox_port: port.optional(),
  /** How many service accounts the sandbox's spreadsheet service has. */
  sandbox_system_users: count(1, 20).default(1),
  demo_password: z.string().default(PUBLISHED_DEMO_PASSWORD),
  app_time_zone: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Asia/Taipei')
    .default('Asia/Taipei'),
  /** The agency's own, ISO 4217. */
  app_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency such as TWD')
    .default('TWD'),
  meta_api_version: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must look like v25.0')
    .default('v25.0'),
  /**
   * In which form phones go to LINE; left out: they do not. LINE's rule can be read in two ways, so that the
   * agency asks there first.
   */
  line_phone_form: z
    .enum(['digits', 'e164'], {
      error:
        'must be digits or e164: phones are stored as hashes of these forms, and no national form follows from them',
    })
    .nullable()
    .default(null),
  meta_access_token: secret,
  meta_app_secret: secret,
  /**
   * Keys that seal the credentials of platforms, 32 bytes in base64 each; the first one seals, all of them
   * open.
   */
  credential_keys: secret,
  /** Key files, separated by commas: the system users that spreadsheets are distributed over. */
  google_service_account_file: z
    .string()
    .transform(value => value.split(',').flatMap(file => file.trim() || []))
    .refine(files => files.length > 0, 'must name a key file, or several with commas between them')
    .nullable()
    .default(null),
  /** Roles whose people need a second factor. */
  second_factor_roles: z
    .string()
    .transform(value => value.split(',').map(role => role.trim()))
    .pipe(z.array(z.enum(identities, { error: `must be a list of ${identities.join(', ')}` })))
    .default([]),
  report_channel_limit: count(1, 100).default(10),
  history_days: count(1, 10_000).default(730),
  /** The limits of one person; the other limits are in http/request-limits.ts. */
  reports_per_person: count(1, 1_000_000).default(5000),
  folders_per_person: count(1, 1_000_000).default(5000),
  issues_per_day: count(1, 100_000).default(50),
  spreadsheets_per_day: count(1, 100_000).default(50),
  writes_per_minute: count(1, 1_000_000).default(120),
  /** Campaign links may be followed: the one call that goes to no configured host. */
  link_checks: flag.default(false),
  /** Retention of the audit trail. */
  audit_days: count(90, 36_500).default(730),
  log_level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
  metrics_token: secret,
  ...fileSettings,
  /** The mail server, with its credentials; left out: no e-mail is sent. */
  smtp_url: z
    .url({
      protocol: /^smtps?$/,
      error: 'must be an address such as smtp://user:password@smtp.example.com:587',
    })
    .nullable()
    .default(null),
  mail_from: z
    .string()
    .regex(
      /^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/,
      'must be an e-mail address, or a name and <address>',
    )
    .optional(),
  /** How long notifications are gathered into one e-mail. */
  mail_group_seconds: count(0, 86_400).optional(),
  /**
   * How many proxies are in front: only then is X-Forwarded-For trusted, and only as far as they wrote it.
   */
  trust_proxy: count(0, 10).default(0),
  /** However it is used, a session ends after so many days. */
  session_days: count(1, 365).default(30),
  worker_concurrency: count(1, 64).default(4),
  /** How many processes share them; left out: one for each processor, beside the one that serves HTTP. */
  worker_processes: count(1, 64).optional(),
  /** Large tables at a time, each in a process of its own. */
  worker_large_runs: count(1, 16).default(1),
  worker_heap_mb: count(64, 65_536).default(1024),
  /** What Google grants, for reads and for writes each; more where a higher quota was requested. */
  sheets_requests_per_minute_user: count(1, 100_000).default(60),
  sheets_requests_per_minute_project: count(1, 100_000).default(300),
  /** So long is a page's data waited for before it is sent drawn; 0: browsers draw all pages. */
  render_pages_ms: count(0, 10_000).default(400),
  /** The response cache may take so much of the database; 0: no cache. */
  source_cache_mb: count(0, 100_000).default(512),
  /** How often the newest days of accounts are fetched for the charts; 0: never. */
  spend_refresh_minutes: count(0, 10_080).default(180),
  ...baseUrls(() => webUrl.optional()),
})

type Settings = Omit<
  z.infer<typeof Environment>,
  | BaseUrlName
  | 'sandbox'
  | 'sandbox_port'
  | 'public_url'
  | 'mail_from'
  | 'mail_group_seconds'
  | 'worker_processes'
> & {
  sandbox: boolean
  sandbox_port: number
  /** False: 3100 is only preferred, and any free port will do. */
  sandbox_port_is_fixed: boolean
  public_url: string
  mail_from: string
  mail_group_seconds: number
  worker_processes: number
  /** Where the sandbox reports the mails that it has caught; null: they are delivered. */
  mailbox_url: string | null
}
