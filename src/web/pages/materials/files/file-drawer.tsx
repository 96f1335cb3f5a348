import type { File as StoredFile } from '#shared/api/materials.ts'
import { MaterialActions, MaterialDrawer } from '#web/pages/materials/material-drawer.tsx'
import { MaterialFacts } from '#web/pages/materials/material-facts.tsx'
import { MaterialForm } from '#web/pages/materials/material-form.tsx'
import { useFile } from './data.ts'
import { FileType } from './file-type.tsx'

interface FileDrawerProps {
  id: number
  /** What the list says of it. */
  known: StoredFile | undefined
  onClose: () => void
}

/** One file: what it is, and the way to it. */
export function FileDrawer({ id, known, onClose }: FileDrawerProps) {
  const file = useFile(id, known)
  return (
    <MaterialDrawer kind="file" material={file} onClose={onClose}>
      {(row, { isChanged, onChanged }) => (
        <>
          <MaterialActions kind="file" row={row} onDeleted={onClose} />
          <MaterialForm key={row.id} kind="file" row={row} onChanged={onChanged} />
          <MaterialFacts kind="file" row={row} isChanged={isChanged} type={<FileType file={row} />} />
        </>
      )}
    </MaterialDrawer>
  )
}
