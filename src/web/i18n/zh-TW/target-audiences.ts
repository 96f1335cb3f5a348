import type { targetAudiences as english } from '#web/i18n/en/target-audiences.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const targetAudiences: TextsLike<typeof english> = {
  title: '目標受眾',
}
