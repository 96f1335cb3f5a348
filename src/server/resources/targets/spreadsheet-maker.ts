import { spreadsheetCreationFor } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { sheetService } from '#server/resources/sheets/service.ts'

/** A service in which files can be created in a person's name, so that the person owns them. */
export interface SpreadsheetMaker {
  /** Of the addresses of its files. */
  origin: string
  /** A file with one empty tab of that id; returns the file's id. */
  create(file: { title: string; tab: string; tab_id: number }): Promise<string>
  /** The ids of the person's own files with exactly this title. */
  ownWithTitle(title: string): Promise<string[]>
  hasTab(id: string, tab_id: number): Promise<boolean>
  /** Makes the address an editor; the same as often as it is repeated. */
  shareWith(id: string, address: string): Promise<void>
}

/**
 * The one place that knows in which service a person can own files; null: in none. The system user cannot own
 * them: Google gives service accounts no storage. With Google it is the account that a person has connected.
 */
export async function spreadsheetMakerFor(
  db: Db,
  user: SignedInUser,
  { built_in_sheets, public_url }: Pick<ApiSettings, 'built_in_sheets' | 'public_url'>,
): Promise<SpreadsheetMaker | null> {
  const facts = { has_service: built_in_sheets !== undefined, advertisers: await advertisersOf(db, user) }
  if (spreadsheetCreationFor(user, facts) !== 'available' || !built_in_sheets || user.email === null)
    return null
  const service = sheetService(built_in_sheets, user.email)
  return {
    origin: public_url,
    create: async ({ title, tab, tab_id }) =>
      (await service.create(title, { title: tab, sheetId: tab_id })).spreadsheetId,
    ownWithTitle: async title =>
      (await service.list()).flatMap(({ id, name, ownedByMe }) => (ownedByMe && name === title ? id : [])),
    hasTab: async (id, tab_id) =>
      (await service.titles(id)).sheets.some(({ properties: { sheetId } }) => sheetId === tab_id),
    shareWith: (id, email) => service.share(id, { email, role: 'writer' }),
  }
}
