import { IconUpload } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MaterialKind } from '#web/pages/materials/paths.ts'
import styles from './uploads.module.css'

/** While files are dragged over the page: wherever they are dropped, they are uploaded. */
export function DropOverlay({ kind }: { kind: MaterialKind }) {
  const { t } = useTranslation('materials')
  return (
    <div className={styles.overlay}>
      <p>
        <IconUpload size={22} stroke={1.6} aria-hidden />
        {t(`upload.drop_${kind}`)}
      </p>
    </div>
  )
}
