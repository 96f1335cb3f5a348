import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskStore, TEMPORARY } from '#server/files/disk-store.ts'
import { openPictures } from '#server/files/pictures.ts'
import { createSignedLinks } from '#server/files/signed-links.ts'
import { openTemporary } from '#server/files/temporary.ts'
import type { Effects, FileEffects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { createTokens } from '#server/http/tokens.ts'
import { writeExport } from '#server/resources/audit/queries.ts'
import { createPdfRenderer } from '#server/pdf/renderer.ts'
import { openReportFileReader } from '#server/resources/reports/report-file-reader.ts'
import { createHashing } from '#server/resources/session/hashing.ts'
import { createVault, type Vault } from '#server/vault.ts'
import { generousLimits } from './request-limits.ts'

const AWAY = { code: 'platform_unavailable', message: null, retry_after_ms: null } as const

/**
 * The effects of a server in a test or a measurement: no spreadsheet service, so that everything is as if not
 * shared; no platform, so that none responds. Tests of either pass one.
 */
export function quietEffects(
  key: Uint8Array = randomBytes(32),
  files_dir = join(tmpdir(), `sheetcast-files-${randomUUID()}`),
): Effects {
  const vault = createVault([Buffer.from(key)])
  return {
    tokens: createTokens(key),
    hashing: createHashing(),
    spreadsheets: {
      system_users: [
        { address: 'sheetcast@sheetcast-sandbox.iam.gserviceaccount.com', project: 'sheetcast-sandbox' },
      ],
      findSystemUser: async () => ({
        result: 'not_shared',
        title: null,
        system_user: null,
        permissions: null,
      }),
      check: async () => ({ result: 'not_shared' }),
      tabs: async () => [],
      addTab: async () => {
        throw refuse('spreadsheet_unavailable')
      },
      readTarget: async () => {
        throw refuse('spreadsheet_unavailable')
      },
      findCode: async () => false,
    },
    checkAccount: async () => ({ result: 'credential_missing' }),
    accountActions: async () => ({ actions: [], is_pending: false, code: 'credential_missing' }),
    audiences: {
      ga4Audiences: async () => ({ audiences: [], code: 'credential_missing' }),
      access: async () => ({ result: 'credential_missing', business: null, fix_url: null }),
    },
    businessUsers: async () => ({ users: [], problem: 'credential_missing' }),
    platforms: {
      test: async () => ({ result: 'credential_missing' }),
      importAccounts: async () => ({ code: 'credential_missing', retry_after_ms: null }),
      countAccounts: async () => ({ code: 'credential_missing' }),
    },
    connections: {
      begin: () => ({ url: 'https://platform.test/consent', verifier: null }),
      exchange: async () => AWAY,
      grantedScopes: async () => AWAY,
      renew: async () => AWAY,
      canRevoke: () => true,
      revoke: async () => AWAY,
    },
    vault,
    files: filesIn(files_dir, vault),
    followLink: null,
    platformNames: async () => null,
    preview: async () => {
      throw refuse('overloaded')
    },
    readReportFiles: openReportFileReader({ stopping: new AbortController().signal }),
    pdf: createPdfRenderer({ stopping: new AbortController().signal, busy: () => refuse('overloaded') }),
    liveEvents: { join: () => () => {}, count: () => 0 },
    requestLimits: generousLimits(),
    noteExport: writeExport,
    stopping: new AbortController().signal,
    settings: {
      public_url: 'http://localhost:3000',
      session_days: 30,
      shares_one_address: false,
      time_zone: 'Asia/Taipei',
      report_channel_limit: 10,
      currency: 'TWD',
      history_days: 730,
      spreadsheet_origins: [],
      quotas: {
        reports: 1_000_000,
        folders: 1_000_000,
        issues_a_day: 1_000_000,
        spreadsheets_a_day: 1_000_000,
      },
      metrics_token: null,
      second_factor_roles: [],
      mailbox_url: null,
      demo_password: null,
    },
  }
}

/** The folder is made with the first file. */
function filesIn(folder: string, vault: Vault): FileEffects {
  return {
    store: diskStore(folder),
    temporary: openTemporary(join(folder, TEMPORARY)),
    links: createSignedLinks(vault),
    scan: async () => null,
    pictures: openPictures(),
  }
}
