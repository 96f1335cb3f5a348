import type { links as english } from '#web/i18n/en/links.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const links: TextsLike<typeof english> = {
  title: '建立連結',
}
