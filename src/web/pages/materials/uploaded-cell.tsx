import type { File as StoredFile, Image } from '#shared/api/materials.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import styles from './materials.module.css'

/** When it was uploaded, and by whom. */
export function UploadedCell({ row }: { row: Image | StoredFile }) {
  return (
    <span className={styles.figure}>
      <RelativeTime at={row.created_at} />
      <small className={styles.below}>{row.uploaded_by_name}</small>
    </span>
  )
}
