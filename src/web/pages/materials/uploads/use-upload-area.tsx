import { IconUpload } from '@tabler/icons-react'
import { useRef, useState, type ReactNode } from 'react'
import { imageTypes } from '#shared/images.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Owner } from '#web/pages/materials/owner.ts'
import type { MaterialKind } from '#web/pages/materials/paths.ts'
import { checkFiles, type ChosenFile } from './check-files.ts'
import { UploadDialog } from './upload-dialog.tsx'
import styles from './uploads.module.css'
import { useDroppedFiles, usePastedFiles } from './use-incoming-files.ts'

interface UploadArea {
  kind: MaterialKind
  /** What the list is filtered by, so that what is uploaded appears in it. */
  owner: Owner | null
  tag: string | undefined
}

/**
 * Files for a page: dropped anywhere on it, pasted, or chosen. `area` is drawn somewhere on the page;
 * `choose` opens the system's own dialog.
 */
export function useUploadArea({ kind, owner, tag }: UploadArea): { choose: () => void; area: ReactNode } {
  const { t } = useTranslation('materials')
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([])
  const [lastOwner, setLastOwner] = useState<Owner | null>(null)
  async function take(files: readonly File[]) {
    const checked = await checkFiles(kind, files)
    setChosen(before => [...before, ...checked])
  }
  const isOver = useDroppedFiles(files => void take(files))
  usePastedFiles(files => void take(files))
  const choose = () => input.current?.click()
  const area = (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={t(`upload.choose_${kind}`)}
        {...(kind === 'image' && { accept: imageTypes.join() })}
        onChange={event => {
          void take([...(event.currentTarget.files ?? [])])
          // The same file can be chosen again.
          event.currentTarget.value = ''
        }}
      />
      {isOver && <DropOverlay kind={kind} />}
      {chosen.length > 0 && (
        <UploadDialog
          kind={kind}
          chosen={chosen}
          owner={owner ?? lastOwner}
          tags={tag === undefined ? [] : [tag]}
          onMore={choose}
          onRemove={file => setChosen(chosen.filter(each => each.file !== file))}
          onBegun={used => {
            setLastOwner(used)
            setChosen([])
          }}
          onClose={() => setChosen([])}
        />
      )}
    </>
  )
  return { choose, area }
}

/** While files are dragged over the page: wherever they are dropped, they are uploaded. */
function DropOverlay({ kind }: { kind: MaterialKind }) {
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
