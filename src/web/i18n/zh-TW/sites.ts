import type { sites as english } from '#web/i18n/en/sites.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const sites: TextsLike<typeof english> = {
  title: '網站',
}
