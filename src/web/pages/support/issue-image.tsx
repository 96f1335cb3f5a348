import { useRef } from 'react'
import type { Issue } from '#shared/api/support.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Problem } from '#web/ui/problem.tsx'
import { useImage } from './data.ts'
import styles from './support.module.css'

/** The picture that came with an issue; a press opens it as large as it is. */
export function IssueImage({ id, image }: { id: number; image: NonNullable<Issue['image']> }) {
  const { t } = useTranslation('support')
  const { data: blob, error, refetch } = useImage(id)
  const imageRef = useRef<HTMLImageElement>(null)
  if (error) return <Problem code={error.code} onRetry={() => void refetch()} />
  return (
    <button
      type="button"
      className={styles.image}
      // Its space is reserved while it is loading.
      style={{ aspectRatio: `${image.width} / ${image.height}`, maxWidth: image.width }}
      title={t('image_open')}
      disabled={!blob}
      onClick={() => window.open(imageRef.current?.src, '_blank', 'noopener')}
    >
      {blob && (
        <img
          ref={element => {
            imageRef.current = element
            return showBlob(element, blob)
          }}
          alt={t('image_of', { id })}
        />
      )}
    </button>
  )
}

/** The object URL exists for as long as it is shown. */
function showBlob(image: HTMLImageElement | null, blob: Blob) {
  if (!image) return undefined
  const url = URL.createObjectURL(blob)
  image.src = url
  return () => URL.revokeObjectURL(url)
}
