import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '#server/app.ts'
import { expectRefusal, testApi } from './testing/api.ts'

/**
 * Every text of a request that others will read as the name of something: bidirectional controls, invisible
 * characters and line breaks are refused. A text that is no name has an entry here with the reason why it
 * accepts anything.
 */
const noNames: Record<string, string> = {
  'POST /api/token/ username': 'compared with existing names',
  'POST /api/token/ password': 'a password, taken as it is',
  'POST /api/token/ code': 'compared with a code',
  'POST /api/token/refresh/ refresh': 'a signed token',
  'POST /api/second-factor/ password': 'a password',
  'POST /api/second-factor/ code': 'compared with a code',
  'POST /api/second-factor/confirm/ code': 'compared with a code',
  'POST /api/second-factor/recovery-codes/ password': 'a password',
  'POST /api/second-factor/recovery-codes/ code': 'compared with a code',
  'DELETE /api/second-factor/ password': 'a password',
  'DELETE /api/second-factor/ code': 'compared with a code',
  'POST /api/set-password/ token': 'looked up by its hash',
  'POST /api/set-password/ password': 'a password',
  'PATCH /api/users/:user_id/ password.old': 'a password',
  'PATCH /api/users/:user_id/ password.new': 'a password',
  ...ofReports('POST /api/gs-template-setting/'),
  ...ofReports('PATCH /api/gs-template-setting/:id/'),
  ...ofReports('POST /api/gs-template-setting/preview/'),
  'POST /api/gs-template-setting/import/ ':
    'YAML; its fields are read by the same schema as those of a report',
  'POST /api/gs-template-setting/import/check/ ': 'YAML',
  'POST /api/gs-template-setting/care/clone/ rename.find.0': 'searched for in existing names',
  'POST /api/insight-setting/conversions/ entries.0.action': 'compared with what the platform has',
  'PATCH /api/insight-setting/conversions/:id/ entries.0.action': 'compared with what the platform has',
  'POST /api/insight-setting/metrics/ formula': 'read as a formula',
  'PATCH /api/insight-setting/metrics/:id/ formula': 'read as a formula',
  'POST /api/insight-setting/metrics/try/ formula': 'read as a formula',
  'POST /api/image/ tags': 'JSON; each tag is read as one of a change',
  'POST /api/file/ tags': 'JSON; each tag is read as one of a change',
  'PATCH /api/ad_insertion/issuer/ logo': 'a data URL, read as a picture',
  'POST /api/ad/ landing_url': 'read as an address',
  'PATCH /api/ad/:id/ landing_url': 'read as an address',
  'POST /api/ad/gs_sheet/ spreadsheet_url': 'read for its id alone',
  'POST /api/public-account/ login.key': 'a login: sealed, never shown',
  'PATCH /api/public-account/:id/ login.key': 'a login: sealed, never shown',
  'POST /api/public-account/connect/finish/ state': 'looked up by its hash',
  'POST /api/public-account/connect/finish/ nonce': 'compared by its hash',
  'POST /api/public-account/connect/finish/ code': 'sent to the platform as it is',
  'POST /api/public-account/connect/finish/ error': 'compared with known errors',
}

function ofReports(route: string) {
  return {
    [`${route} spreadsheet_url`]: 'read for its id alone',
    [`${route} sheet_name`]: 'of an existing tab; compared with existing names',
    [`${route} start_cell`]: 'read as a cell',
    [`${route} timezone`]: 'one of a list',
    [`${route} channels.0.metrics.0`]: 'one of the catalogue',
    [`${route} blends.0.formula`]: 'read as a formula',
    [`${route} channels.0.filters.0.values.0`]: 'compared with what the platform has',
  }
}

const MULTI_LINE = [
  'POST /api/support/ description',
  'PATCH /api/support/:id/ answer',
  'POST /api/support/:id/additions/ text',
  'POST /api/advertiser/ note',
  'PATCH /api/advertiser/:id/ note',
  'POST /api/agent/ note',
  'PATCH /api/agent/:id/ note',
  'POST /api/insight-setting/metrics/ explanation',
  'PATCH /api/insight-setting/metrics/:id/ explanation',
  'POST /api/targetaudience/ note',
  'PATCH /api/targetaudience/:id/ note',
  'POST /api/publisher/ note',
  'PATCH /api/publisher/:id/ note',
  'POST /api/lta/ description',
  'POST /api/lta/ basis',
  'PATCH /api/lta/:id/ description',
  'PATCH /api/lta/:id/ basis',
  'POST /api/lta/:id/members/ basis',
  'POST /api/ad_insertion/quotation/ terms',
  'POST /api/ad_insertion/quotation/ internal_note',
  'POST /api/ad_insertion/quotation/ lines.0.description',
  'PATCH /api/ad_insertion/quotation/:id/ terms',
  'PATCH /api/ad_insertion/quotation/:id/ internal_note',
  'PATCH /api/ad_insertion/quotation/:id/ lines.0.description',
  'POST /api/ad_insertion/quotation/:id/reject/ reason',
  'POST /api/ad_insertion/quotation/:id/cancel/ reason',
  'PATCH /api/ad_insertion/payment/:id/ note',
  'POST /api/ad/ecspend/invoice/ note',
  'PATCH /api/ad/ecspend/invoice/:id/ note',
  'POST /api/ad/ecspend/adjustment/ note',
  'PATCH /api/ad/ecspend/adjustment/:id/ note',
  'POST /api/ad_insertion/payment/:id/void/ reason',
  'PATCH /api/ad_insertion/issuer/ bank',
  'PATCH /api/ad_insertion/issuer/ terms.en',
  'PATCH /api/ad_insertion/issuer/ terms.zh-TW',
]

const texts = routes.flatMap(({ method, path, facts }) => {
  const body = facts.body ?? facts.streams_form
  if (!body) return []
  return textsIn(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).map(({ at, put }) => ({
    name: `${method} ${path} ${at.join('.')}`,
    at,
    refusals: (value: string) => {
      const read = body.safeParse(put(value))
      const found = read.success ? [] : read.error.issues.flatMap(issuesIn)
      return found.filter(({ code }) => code === 'field_characters')
    },
  }))
})
const names = texts.filter(({ name }) => !(name in noNames))

const SIMPLE = ['Acme', '品牌', 'Ünïcode', 'نام', 'x']

const hostile = {
  'an override': '\u202e',
  'an isolate': '\u2066',
  'an embedding': '\u202b',
  'a bidirectional control': '\u200f',
  'an Arabic mark': '\u061c',
  'a bell': '\u0007',
  'an escape': '\u001b',
  'a Latin-1 control': '\u0085',
  'a delete': '\u007f',
}

describe('names in requests', () => {
  it('are found by walking every schema, and every exception exists', () => {
    expect(names.length).toBeGreaterThan(20)
    expect(Object.keys(noNames).filter(name => !texts.some(text => text.name === name))).toEqual([])
  })

  it.each(names.map(text => ({ ...text, title: text.name })))(
    '$title accepts what people write',
    ({ name, refusals }) => {
      for (const value of name.endsWith('username') ? SIMPLE : [...SIMPLE, '品牌 👩‍👩‍👧', 'نام\u200cها'])
        expect(refusals(value)).toEqual([])
    },
  )

  it.each(names.map(text => ({ ...text, title: text.name })))(
    '$title refuses bidirectional, invisible and control characters',
    ({ name, at, refusals }) => {
      const taken = Object.entries(hostile).flatMap(([what, character]) =>
        refusals(`Na${character}me`).some(({ path }) => path.join('.') === at.join('.')) ? [] : [what],
      )
      expect(taken).toEqual([])
      expect(refusals('two\nlines').length).toBe(MULTI_LINE.includes(name) ? 0 : 1)
    },
  )
})

describe('a name', () => {
  const setUp = testApi()

  it('that is refused has the error at its field', async () => {
    const { post, patch, user } = await (await setUp).signedIn('staff')
    const folder = await post('/api/gs-template-folder/', { name: 'a\u202eb' })
    expectRefusal(folder, 400, 'invalid', { name: ['field_characters'] })
    const report = await post('/api/gs-template-setting/', { name: 'a\u0007b' })
    expectRefusal(report, 400, 'invalid', { name: ['field_characters'] })
    const person = await patch(`/api/users/${user.id}/`, { full_name: 'zero\u200bwidth' })
    expectRefusal(person, 400, 'invalid', { full_name: ['field_characters'] })
  })

  it('is the same as another that looks the same, however it was typed', async () => {
    const api = await setUp
    const boss = await api.signedIn('superuser')
    const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301']
    const unique = randomUUID()
    expect((await boss.post('/api/advertiser/', { name: `${decomposed} ${unique}` })).body).toMatchObject({
      name: `${composed} ${unique}`,
    })
    const again = await boss.post('/api/advertiser/', { name: `${composed} ${unique}` })
    expectRefusal(again, 400, 'invalid', { name: ['name_taken'] })
    const account = { full_name: 'Somebody', identity: 'staff', department: 2 }
    expect((await boss.post('/api/user/', { ...account, username: decomposed })).status).toBe(201)
    expectRefusal(await boss.post('/api/user/', { ...account, username: composed }), 400, 'invalid', {
      username: ['name_taken'],
    })
  })

  it.each(['\u200d', '\u200c', '\ufe0f', '\u034f', '\u{e0041}'])(
    'for signing in has no invisible characters (%j)',
    async character => {
      const boss = await (await setUp).signedIn('superuser')
      const body = {
        username: `super${character}user`,
        full_name: 'Somebody',
        identity: 'staff',
        department: 2,
      }
      expectRefusal(await boss.post('/api/user/', body), 400, 'invalid', { username: ['field_characters'] })
    },
  )

  it('that exists already stays readable, and signs in as it was typed', async () => {
    const api = await setUp
    const old = 'Rene\u0301e'
    const { user, get } = await api.signedIn('staff', { username: old, password: 'a-long-pass-word-1' })
    await api.db.updateTable('users').set({ full_name: 'x\u202ey' }).where('id', '=', user.id).execute()
    expect((await get('/users/identity/')).body).toMatchObject({ username: old, full_name: 'x\u202ey' })
    for (const typed of [old, old.toUpperCase()]) {
      const body = { username: typed, password: 'a-long-pass-word-1' }
      expect((await api.anonymous.post('/api/token/', body)).status).toBe(200)
    }
  })
})

type Schema = z.core.JSONSchema.BaseSchema
interface Text {
  at: string[]
  /** A whole body with this text in it. */
  put: (text: string) => unknown
}

/** The path of every free text in the schema. */
function textsIn(schema: Schema | boolean | undefined): Text[] {
  if (typeof schema !== 'object' || schema.enum || schema.const !== undefined) return []
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.flatMap(textsIn)
  if (schema.type === 'array') {
    const { items } = schema
    return textsIn(Array.isArray(items) ? items[0] : items).map(({ at, put }) => ({
      at: ['0', ...at],
      put: text => [put(text)],
    }))
  }
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? { key: schema.additionalProperties })
    return properties.flatMap(([field, inner]) =>
      textsIn(inner).map(({ at, put }) => ({
        at: [field, ...at],
        put: text => ({ ...(Object(sampleOf(schema)) as object), [field]: put(text) }),
      })),
    )
  }
  return schema.type === 'string' && !schema.format && !schema.pattern ? [{ at: [], put: text => text }] : []
}

/** The smallest value that the schema accepts. */
function sampleOf(schema: Schema | boolean | undefined): unknown {
  if (typeof schema !== 'object') return null
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return sampleOf(choices[0])
  if (schema.type === 'array') return (schema.minItems ?? 0) > 0 ? [sampleOf(Object(schema).items)] : []
  if (schema.type === 'object') {
    const { required = [], properties = {} } = schema
    return Object.fromEntries(required.map(field => [field, sampleOf(properties[field])]))
  }
  if (schema.type === 'string') return schema.format === 'date-time' ? '2026-11-01T00:00:00Z' : 'x'
  return schema.type === 'boolean' ? true : (schema.minimum ?? 1)
}

/** Of a union, the issues of each of its members. */
function issuesIn(issue: z.core.$ZodIssue): { path: PropertyKey[]; code: unknown }[] {
  if (issue.code === 'invalid_union')
    return issue.errors.flat().flatMap(inner => issuesIn({ ...inner, path: [...issue.path, ...inner.path] }))
  return [{ path: issue.path, code: issue.code === 'custom' ? issue.params?.['code'] : issue.code }]
}
