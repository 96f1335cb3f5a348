import type { publishers as english } from '#web/i18n/en/publishers.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const publishers: TextsLike<typeof english> = {
  title: '媒體',
}
