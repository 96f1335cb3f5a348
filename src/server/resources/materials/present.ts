import { isMakerOrManager } from '#shared/access.ts'
import type { LinkTarget, SignedLinks } from '#server/files/signed-links.ts'
import type { SignedInUser } from '#server/http/session.ts'

/** Who reads it, and when: links are theirs for a while. */
export interface Reader {
  user: SignedInUser
  links: SignedLinks
  now: Date
}

interface Row {
  id: number
  uploaded_by: number | null
  created_at: Date
  last_modified_at: Date
}

export const presentMaterial = <Facts extends Row>(
  { created_at, last_modified_at, ...row }: Facts,
  kind: LinkTarget['kind'],
  reader: Reader,
) => ({
  ...row,
  url: linkTo({ kind, id: row.id, size: 'original' }, reader),
  may_delete: isMakerOrManager(reader.user, { created_by: row.uploaded_by }),
  created_at: created_at.toISOString(),
  last_modified_at: last_modified_at.toISOString(),
})

/** Where `<img>` and downloads find it without a token. */
export function linkTo(target: LinkTarget, { links, now }: Pick<Reader, 'links' | 'now'>): string {
  const { expires, signature } = links.sign(target, now)
  const size = target.size === 'original' ? '' : `size=${target.size}&`
  return `/api/${target.kind}/${target.id}/content/?${size}expires=${expires}&signature=${signature}`
}
