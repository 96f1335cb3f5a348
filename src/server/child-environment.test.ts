import { describe, expect, it } from 'vitest'
import { environmentOfOurs, environmentOfPrograms } from './child-environment.ts'

const secrets = {
  DATABASE_URL: 'postgres://ann:canary@db.example/sheetcast',
  CREDENTIAL_KEYS: 'canary',
  META_ACCESS_TOKEN: 'canary',
  META_APP_SECRET: 'canary',
  METRICS_TOKEN: 'canary',
  SMTP_URL: 'smtp://ann:canary@smtp.example',
  DEMO_PASSWORD: 'canary',
  GOOGLE_SERVICE_ACCOUNT_FILE: '/etc/canary.json',
  GOOGLE_APPLICATION_CREDENTIALS: '/etc/canary.json',
  AWS_SECRET_ACCESS_KEY: 'canary',
  FILES_S3_SECRET_KEY: 'canary',
  NPM_TOKEN: 'canary',
  NODE_AUTH_TOKEN: 'canary',
}
const harmless = { PATH: '/usr/bin', TZ: 'Asia/Taipei', LD_LIBRARY_PATH: '/opt/lib' }

describe('the environment of child processes', () => {
  it('gives other programs path, locale and time zone', () => {
    const ours = {
      ...secrets,
      ...harmless,
      LANG: 'zh_TW.UTF-8',
      LC_TIME: 'zh_TW.UTF-8',
      PGPASSWORD: 'canary',
    }
    expect(environmentOfPrograms(ours)).toEqual({ ...harmless, LC_ALL: 'C' })
  })

  it('gives our own processes the settings of Node and of the connection to the database, too', () => {
    const needed = {
      ...harmless,
      LANG: 'zh_TW.UTF-8',
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
      NODE_OPTIONS: '--use-system-ca',
      HTTPS_PROXY: 'http://proxy.example:3128',
      PGSSLROOTCERT: '/etc/database.pem',
    }
    expect(environmentOfOurs({ ...secrets, ...needed })).toEqual(needed)
  })
})
