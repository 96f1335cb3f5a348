import type { files as english } from '#web/i18n/en/files.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const files: TextsLike<typeof english> = {
  title: '檔案',
}
