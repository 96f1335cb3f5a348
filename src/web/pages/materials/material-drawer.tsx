import { Button } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { File as StoredFile, Image } from '#shared/api/materials.ts'
import { client } from '#web/client/client.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { GuardedDialog } from '#web/ui/guarded-dialog.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useReloadMaterials } from './data.ts'
import styles from './materials.module.css'
import { materialPaths, type MaterialKind } from './paths.ts'

/** Whether something has been written beside it and not saved. */
interface Changes {
  isChanged: boolean
  onChanged: (isChanged: boolean) => void
}

interface MaterialDrawerProps<Row> {
  kind: MaterialKind
  material: { data: Row | undefined; error: Refused | null; refetch: () => unknown }
  onClose: () => void
  children: (row: Row, changes: Changes) => ReactNode
}

/** One of them beside the list. */
export function MaterialDrawer<Row extends Image | StoredFile>(props: MaterialDrawerProps<Row>) {
  const { kind, onClose, children } = props
  const { data, error, refetch } = props.material
  const { t } = useTranslation('materials')
  const [isChanged, onChanged] = useState(false)
  return (
    <GuardedDialog
      opened
      side
      size={640}
      title={data?.name ?? t(`one.${kind}`)}
      isChanged={isChanged}
      onClose={onClose}
    >
      {data ? (
        <div className={styles.drawer}>{children(data, { isChanged, onChanged })}</div>
      ) : error ? (
        error.status === 404 ? (
          <p>{t('missing')}</p>
        ) : (
          <Problem code={error.code} audience="internal" onRetry={() => void refetch()} />
        )
      ) : (
        <PageLoading />
      )}
    </GuardedDialog>
  )
}

interface ActionsProps {
  kind: MaterialKind
  row: Image | StoredFile
  onDeleted: () => void
}

export function MaterialActions({ kind, row, onDeleted }: ActionsProps) {
  const { t } = useTranslation('materials')
  const failureText = useFailureText()
  const reload = useReloadMaterials(kind)
  const [isDeleting, setIsDeleting] = useState(false)
  const save = () =>
    saveMaterial(kind, row.id).catch((error: unknown) =>
      showToast({ severity: 'error', message: failureText(error) ?? t('download_failed') }),
    )
  return (
    <div className={styles.actions}>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
        onClick={() => void save()}
      >
        {t('action.download')}
      </Button>
      {row.may_delete && (
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} stroke={1.7} aria-hidden />}
          onClick={() => setIsDeleting(true)}
        >
          {t('action.delete')}
        </Button>
      )}
      {isDeleting && (
        <DeleteDialog
          path={materialPaths[kind]}
          row={row}
          linksOf={kind}
          onDeleted={() => {
            void reload()
            onDeleted()
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </div>
  )
}

/**
 * Saves one through the browser, which streams it to the disk: nothing of a video is held in memory. Its link
 * is requested anew, since that of a page that has been open for a while has expired.
 */
async function saveMaterial(kind: MaterialKind, id: number) {
  const { url, name } = await client.get<StoredFile>(`${materialPaths[kind]}${id}/`)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
