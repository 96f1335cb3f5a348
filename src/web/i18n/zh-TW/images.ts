import type { images as english } from '#web/i18n/en/images.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const images: TextsLike<typeof english> = {
  title: '圖片',
}
