import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig, withSandbox, type Config } from './config.ts'

const read = (env: Record<string, string>): Config => {
  const result = readConfig(env)
  if ('problems' in result) throw new Error(result.problems.join('; '))
  return result.config
}

describe('the configuration', () => {
  it('needs no variable: the default is a demo with the sandbox on this machine alone', () => {
    expect(read({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      public_url: 'http://localhost:3000',
      data_dir: resolve('data'),
      database_url: null,
      roles: ['api', 'worker', 'scheduler'],
      sandbox: true,
      sandbox_port: 3100,
      sandbox_port_is_fixed: false,
      demo_password: 'sheetcast-demo',
      app_time_zone: 'Asia/Taipei',
      app_currency: 'TWD',
      meta_base_url: 'https://graph.facebook.com',
      meta_api_version: 'v25.0',
      meta_access_token: null,
      report_channel_limit: 10,
      history_days: 730,
      worker_concurrency: 4,
      spend_refresh_minutes: 180,
      second_factor_roles: [],
    })
  })

  it('reports every problem at once, by the name of the variable', () => {
    const result = readConfig({
      PORT: '70000',
      ROLES: 'api,cook',
      DATABASE_URL: 'mysql://x',
      APP_TIME_ZONE: 'Asia/Atlantis',
      META_BASE_URL: 'ftp://graph.facebook.com',
      HISTORY_DAYS: '0',
      SANDBOX: 'maybe',
      SECOND_FACTOR_ROLES: 'superuser,boss',
    })
    expect(result).toEqual({
      problems: expect.arrayContaining([
        'PORT must be a port, 0 to 65535',
        'ROLES must be a list of api, worker, scheduler',
        'DATABASE_URL must begin with postgres://',
        'APP_TIME_ZONE must be a time zone such as Asia/Taipei',
        'META_BASE_URL must be an http or https address',
        'HISTORY_DAYS must be a whole number, 1 to 10000',
        'SANDBOX must be 0 or 1',
        'SECOND_FACTOR_ROLES must be a list of external_user, staff, manager, director, superuser',
      ]),
    })
  })

  it('reads which roles need a second factor', () => {
    expect(read({ SECOND_FACTOR_ROLES: 'superuser, director' }).second_factor_roles).toEqual([
      'superuser',
      'director',
    ])
    expect(read({ SECOND_FACTOR_ROLES: '' }).second_factor_roles).toEqual([])
  })

  it('treats an empty variable as an absent one', () => {
    expect(read({ PORT: '', META_ACCESS_TOKEN: ' ' })).toMatchObject({ port: 3000, sandbox: true })
  })

  it('leaves the sandbox off when there are credentials', () => {
    expect(read({ GOOGLE_SERVICE_ACCOUNT_FILE: 'key.json' })).toMatchObject({ sandbox: false })
    expect(readConfig({ META_ACCESS_TOKEN: 'EAAB' })).toEqual({
      problems: [expect.stringContaining('GOOGLE_SERVICE_ACCOUNT_FILE is missing')],
    })
    expect(read({ META_ACCESS_TOKEN: 'EAAB', SANDBOX: '1' })).toMatchObject({ sandbox: true })
  })

  it('sends mail from the configured address through the configured server', () => {
    expect(read({})).toMatchObject({ smtp_url: null, mailbox_url: null })
    const SMTP_URL = 'smtp://me:secret@smtp.example.com:587'
    expect(readConfig({ SMTP_URL })).toEqual({ problems: [expect.stringContaining('MAIL_FROM is missing')] })
    const settings = read({ SMTP_URL, MAIL_FROM: 'Reports <reports@example.com>', MAIL_GROUP_SECONDS: '60' })
    expect(withSandbox(settings, { port: 3100, dir: '/data/sandbox', smtp_port: 3125 })).toMatchObject({
      smtp_url: SMTP_URL,
      mail_from: 'Reports <reports@example.com>',
      mail_group_seconds: 60,
      mailbox_url: null,
    })
    for (const MAIL_FROM of ['nobody', 'A <a@b>\r\nBcc: <c@d>', 'A <a b@c>'])
      expect(readConfig({ SMTP_URL, MAIL_FROM })).toHaveProperty('problems')
  })

  it('takes names without ports as hosts, and allows any host when none is named', () => {
    expect(read({}).allowed_hosts).toBeNull()
    expect(read({ ALLOWED_HOSTS: 'Desk.internal, 10.0.0.5,[::1]' }).allowed_hosts).toEqual([
      'desk.internal',
      '10.0.0.5',
      '[::1]',
    ])
    for (const ALLOWED_HOSTS of ['https://a', 'a:80', 'a/b', '*'])
      expect(readConfig({ ALLOWED_HOSTS })).toHaveProperty('problems')
  })

  it('refuses an offset as a time zone', () => {
    expect(readConfig({ APP_TIME_ZONE: '+08:00' })).toHaveProperty('problems')
  })

  it('stores files in the data folder, or in a bucket with its keys', () => {
    expect(read({})).toMatchObject({
      files_s3_bucket: null,
      files_s3_region: 'us-east-1',
      files_s3_prefix: '',
    })
    const FILES_S3_BUCKET = 'agency-files'
    expect(readConfig({ FILES_S3_BUCKET })).toEqual({
      problems: [
        expect.stringContaining('FILES_S3_ACCESS_KEY is missing'),
        expect.stringContaining('FILES_S3_SECRET_KEY is missing'),
      ],
    })
    const keys = { FILES_S3_ACCESS_KEY: 'a', FILES_S3_SECRET_KEY: 'b' }
    expect(readConfig({ ...keys, FILES_S3_ENDPOINT: 'https://s3.example.com' })).toEqual({
      problems: [
        'FILES_S3_BUCKET is missing: FILES_S3_ACCESS_KEY, FILES_S3_SECRET_KEY, FILES_S3_ENDPOINT would have no effect',
      ],
    })
    for (const [prefix, stored] of [
      ['sheetcast', 'sheetcast/'],
      ['/a/b-c/', 'a/b-c/'],
      ['a.b_c', 'a.b_c/'],
    ] as const)
      expect(read({ FILES_S3_BUCKET, ...keys, FILES_S3_PREFIX: prefix }).files_s3_prefix).toBe(stored)
    for (const FILES_S3_PREFIX of ['a//b', 'a b', 'ä', '/'])
      expect(readConfig({ FILES_S3_BUCKET, ...keys, FILES_S3_PREFIX })).toEqual({
        problems: [expect.stringContaining('FILES_S3_PREFIX must be folders')],
      })
    expect(readConfig({ FILES_S3_BUCKET: 's3://files', ...keys })).toHaveProperty('problems')
  })

  it('runs the virus scanner that is named, without a shell', () => {
    expect(read({}).files_scan_command).toBeNull()
    const line = '/usr/bin/clamdscan --config-file="/etc/my clamd.conf" -'
    expect(read({ FILES_SCAN_COMMAND: line }).files_scan_command).toEqual([
      '/usr/bin/clamdscan',
      '--config-file=/etc/my clamd.conf',
      '-',
    ])
    expect(readConfig({ FILES_SCAN_COMMAND: 'clamdscan "' })).toEqual({
      problems: ['FILES_SCAN_COMMAND must be a program and its arguments, with closed quotes'],
    })
  })

  it('sends phones to LINE in a form that is stored, or not at all', () => {
    expect(read({})).toMatchObject({ line_phone_form: null })
    for (const form of ['digits', 'e164'])
      expect(read({ LINE_PHONE_FORM: form })).toMatchObject({ line_phone_form: form })
    expect(readConfig({ LINE_PHONE_FORM: 'national' })).toEqual({
      problems: [expect.stringContaining('LINE_PHONE_FORM must be digits or e164')],
    })
  })
})

describe('the sandbox', () => {
  it('sets every base URL and fills in the credentials that are not set', () => {
    const config = withSandbox(read({}), { port: 3100, dir: '/data/sandbox', smtp_port: 3125 })
    expect(config).toMatchObject({
      meta_base_url: 'http://127.0.0.1:3100',
      google_sheets_base_url: 'http://127.0.0.1:3100',
      google_token_url: 'http://127.0.0.1:3100/token',
      meta_dialog_base_url: 'http://127.0.0.1:3100',
      meta_business_base_url: 'http://127.0.0.1:3100',
      google_consent_url: 'http://127.0.0.1:3100/o/oauth2/v2/auth',
      ly_consent_url: 'http://127.0.0.1:3100/oauth/v1/authorize',
      line_ads_base_url: 'http://127.0.0.1:3100',
      google_service_account_file: ['/data/sandbox/service-account.json'],
      smtp_url: 'smtp://127.0.0.1:3125',
      mailbox_url: 'http://127.0.0.1:3100/mailbox',
      mail_group_seconds: 10,
    })
  })

  it('leaves what is set unchanged', () => {
    const settings = read({
      SANDBOX: '1',
      META_BASE_URL: 'http://127.0.0.1:9/',
      META_ACCESS_TOKEN: 'mine',
      SANDBOX_PORT: '0',
    })
    expect(settings).toMatchObject({ sandbox_port: 0, sandbox_port_is_fixed: true })
    expect(withSandbox(settings, { port: 3100, dir: '/data/sandbox', smtp_port: 3125 })).toMatchObject({
      meta_base_url: 'http://127.0.0.1:9',
      meta_access_token: 'mine',
      google_drive_base_url: 'http://127.0.0.1:3100',
    })
  })
})
