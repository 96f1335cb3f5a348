import { z } from 'zod'
import { isInternal, levelOf, seesWholePerson, spreadsheetCreationFor, type Person } from '#shared/access.ts'
import { IdText } from '#shared/api/list.ts'
import { Department, departments, IdentityReply, UpdateUser, User, type Contact } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { refreshCookie, setSessionCookies } from '#server/http/cookies.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { mustSetUpSecondFactor, type SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { listSpecialists } from '#server/resources/notifications/specialist-queries.ts'
import { hashPassword, isPassword } from '#server/resources/session/passwords.ts'
import { clearFailures, startAttempt } from '#server/resources/session/attempt-queries.ts'
import { whyNotNewPassword } from '#server/resources/session/new-password.ts'
import {
  holdSignIns,
  isStillPassword,
  revokeAllOf,
  setPasswordHash,
  startFamily,
} from '#server/resources/session/queries.ts'
import { asTheirTurn, signInFacts, signPair, notifyOfSecurity } from '#server/resources/session/sign-in.ts'
import { businessNames } from './business-queries.ts'
import { settleContacts } from './contacts.ts'
import {
  advertisersOf,
  countByDepartment,
  findPasswordHash,
  findPerson,
  updateProfile,
  type PersonRow,
} from './queries.ts'
import { visiblePerson } from './visible.ts'

const UserPath = z.object({ user_id: IdText })

const readIdentity = route('GET', '/api/users/identity/', {
  summary: 'Get your identity and the pages that you can open.',
  alias: '/users/identity/',
  level: 'external_user',
  before_second_factor: true,
  reply: IdentityReply,
  async run({ user, db, effects: { settings, followLink } }) {
    const person = await findPerson(db, user, user.id)
    if (!person) throw refuse('unauthenticated')
    const { id, username, full_name, identity, department, user_type, language, theme } = person
    const level = levelOf(identity)
    const known = {
      user_id: id,
      username,
      full_name,
      identity,
      level,
      department,
      user_type,
      language,
      theme,
    }
    const has_mailbox = settings.mailbox_url !== null
    const second_factor_setup_required = mustSetUpSecondFactor(user, settings)
    return {
      ...known,
      second_factor_setup_required,
      has_mailbox,
      has_link_checks: followLink !== null,
      time_zone: settings.time_zone,
      spreadsheet_creation: spreadsheetCreationFor(user, {
        has_service: settings.built_in_sheets !== undefined,
        advertisers: await advertisersOf(db, user),
      }),
      availableBM: await businessNames(db, user),
      specialists: await listSpecialists(db, user),
    }
  },
})

const readUser = route('GET', '/api/users/:user_id/', {
  summary: 'Get a profile.',
  alias: '/users/:user_id/',
  level: 'external_user',
  params: UserPath,
  reply: User,
  async run({ params, user, db }) {
    const person = await visiblePerson(db, user, params.user_id)
    return asUser(user, person)
  },
})

const updateUser = route('PATCH', '/api/users/:user_id/', {
  summary: 'Update your contact data, language, theme or password.',
  alias: '/users/:user_id/',
  level: 'external_user',
  // A wrong present password is counted although the request is refused.
  transaction: 'own',
  params: UserPath,
  body: UpdateUser,
  reply: User,
  async run({ params, body, user, db, now, effects, request, reply }) {
    const person = await visiblePerson(db, user, params.user_id)
    if (person.id !== user.id) throw refuse('forbidden')
    const { password, ...facts } = body
    const profile = { ...facts, ...(facts.contacts && acceptedContacts(facts.contacts, person.contacts)) }
    const address = request.ip
    const hashInTurn = (passwords: NewPassword) =>
      asTheirTurn({ effects, request, reply }, () => newPasswordHash(db, passwords, { user, address, now }))
    const hashes = password && (await hashInTurn(password))
    const claims = await inTransaction(db, async trx => {
      await updateProfile(trx, user.id, { ...profile, last_modified_at: now })
      const changes = changedFields(person, profile)
      const is_changed = Object.keys(changes).length > 0
      if (is_changed)
        await writeAudit(
          trx,
          {
            actor: user.id,
            action: 'user.change',
            object: 'user',
            object_id: user.id,
            detail: { name: nameOf(person), changes },
            address,
          },
          now,
        )
      if (hashes === undefined) return null
      // It was changed since by somebody else: this request comes too late.
      await holdSignIns(trx, user.id)
      if (!(await isStillPassword(trx, { id: user.id, password_hash: hashes.old }))) throw wrongOld()
      await setPasswordHash(trx, user.id, { password_hash: hashes.new, now })
      await revokeAllOf(trx, user.id, { because: 'password_changed', now })
      await writeAudit(
        trx,
        { actor: user.id, action: 'user.set_password', object: 'user', object_id: user.id, address },
        now,
      )
      await notifyOfSecurity(trx, 'password_changed', { user_id: user.id, effects, request, now })
      // A person who changes it in a browser stays signed in there, with a new session.
      return refreshCookie(request, effects.settings) === undefined
        ? null
        : await startFamily(trx, user.id, signInFacts({ request, effects, now }))
    })
    if (claims)
      setSessionCookies(reply, await signPair(effects, claims, now), { site: effects.settings, now })
    const changed = await findPerson(db, user, user.id)
    return asUser(user, changed ?? person)
  },
})

/** As they are stored; refused when one does not fit its type. */
export function acceptedContacts(entered: readonly Contact[], stored: readonly Contact[]) {
  const { contacts, fields } = settleContacts(entered, stored)
  if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
  return { contacts }
}

interface NewPassword {
  old: string
  new: string
}

/**
 * The hash of the new password, once the old one is verified and the new one is acceptable, and that of the
 * old one.
 */
async function newPasswordHash(
  db: Db,
  password: NewPassword,
  { user, address, now }: { user: SignedInUser; address: string; now: Date },
): Promise<{ old: string | null; new: string }> {
  const why_not = await whyNotNewPassword(db, password.new, user)
  if (why_not) throw refuse('invalid', { fields: { 'password.new': [why_not] } })
  const who = { username: user.username, address }
  const attempt = await inTransaction(db, trx => startAttempt(trx, { ...who, now }))
  if ('retry_after_s' in attempt) throw refuse('rate_limited', attempt)
  const old = await findPasswordHash(db, user.id)
  if (!(await isPassword(password.old, old))) throw wrongOld()
  await inTransaction(db, trx => clearFailures(trx, who))
  return { old, new: await hashPassword(password.new) }
}

const wrongOld = () => refuse('invalid', { fields: { 'password.old': ['password_wrong'] } })

/**
 * A person as others may see them. Who signs in with a password alone is for superusers, who can act on it.
 */
export function asUser(viewer: Person, row: PersonRow): User {
  const { id, created_at, has_second_factor, ...person } = row
  if (seesWholePerson(viewer, row))
    return {
      user_id: id,
      ...person,
      ...(viewer.identity !== 'superuser' && viewer.id !== id && unset),
      created_at: created_at.toISOString(),
      ...(viewer.identity === 'superuser' && { has_second_factor }),
    }
  const { user_type, is_active, employment_status } = row
  return {
    user_id: id,
    username: null,
    full_name: nameOf(row),
    identity: null,
    department: null,
    user_type,
    plan: null,
    position: null,
    email: null,
    contacts: null,
    company_extension: null,
    ...unset,
    is_active,
    employment_status,
    created_at: null,
  }
}

/** What people have chosen for themselves alone. */
const unset = { language: null, theme: null, mail_notices: null }

const listDepartments = route('GET', '/api/department/', {
  summary: 'List the departments.',
  level: 'external_user',
  reply: z.array(Department),
  async run({ user, db }) {
    const people = isInternal(user) ? await countByDepartment(db) : null
    return Object.entries(departments).map(([id, { names, key }]) => ({
      id: Number(id),
      name: names[user.language],
      key,
      ...(people && { people: people.get(Number(id)) ?? 0 }),
    }))
  },
})

export const peopleRoutes = [readIdentity, readUser, updateUser, listDepartments]
