import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  useCreateFolder,
  useDeleteFolder,
  useFolders,
  useMoveFolder,
  useRenameFolder,
  useRestoreFolder,
  type NamedFolder,
} from './data.ts'
import { ActionFrame } from './folder-action-frame.tsx'
import styles from './folders.module.css'

/** The open action on a folder. */
export type FolderAction =
  | { kind: 'create'; parent: NamedFolder | null }
  | { kind: 'rename' | 'move' | 'delete'; folder: NamedFolder }

interface FormProps<Action> {
  action: Action
  onDone: (folder: number | null) => void
  onClose: () => void
}

/**
 * The fields of an action. It stays open when the server refuses, and cannot be sent twice.
 */
export function FolderActionForm({ action, ...props }: FormProps<FolderAction>) {
  if (action.kind === 'create') return <CreateForm action={action} {...props} />
  if (action.kind === 'rename') return <RenameForm folder={action.folder} {...props} />
  if (action.kind === 'move') return <MoveForm folder={action.folder} {...props} />
  return <DeleteForm folder={action.folder} {...props} />
}

type FolderFormProps = Omit<FormProps<never>, 'action'> & { folder: NamedFolder }

function CreateForm({
  action: { parent },
  onDone,
  ...frame
}: FormProps<Extract<FolderAction, { kind: 'create' }>>) {
  const { t } = useTranslation('reports')
  const create = useCreateFolder()
  const [name, setName] = useState('')
  return (
    <ActionFrame
      kind="create"
      title={parent ? `${t('folders.create_in')} · ${parent.name}` : t('folders.create_title')}
      confirm={t('folders.create_confirm')}
      done={t('folders.created')}
      act={async () => onDone((await create.mutateAsync({ name, parent: parent?.id ?? null })).id)}
      {...frame}
    >
      <TextField label={t('folders.name')} value={name} onChange={setName} maxLength={120} focusedFirst />
    </ActionFrame>
  )
}

function RenameForm({ folder, onDone, ...frame }: FolderFormProps) {
  const { t } = useTranslation('reports')
  const rename = useRenameFolder()
  const [name, setName] = useState(folder.name)
  return (
    <ActionFrame
      kind="rename"
      title={t('folders.rename_title', { name: folder.name })}
      confirm={t('folders.rename_confirm')}
      done={t('folders.renamed')}
      act={async () => {
        const { id, name: before } = folder
        onDone((await rename.mutateAsync({ id, name })).id)
        return () => rename.mutateAsync({ id, name: before })
      }}
      {...frame}
    >
      <TextField label={t('folders.name')} value={name} onChange={setName} maxLength={120} focusedFirst />
    </ActionFrame>
  )
}

const TOP = '0'

function MoveForm({ folder, onDone, ...frame }: FolderFormProps) {
  const { t } = useTranslation('reports')
  const move = useMoveFolder()
  const folders = useFolders().data ?? []
  const [to, setTo] = useState(String(folder.parent ?? TOP))
  const targets = folders.filter(({ id, layer }) => layer === 1 && id !== folder.id)
  return (
    <ActionFrame
      kind="move"
      title={t('folders.move_title', { name: folder.name })}
      confirm={t('folders.move_confirm')}
      done={t('folders.moved')}
      act={async () => {
        const { id, parent: before } = folder
        const parent = to === TOP ? null : Number(to)
        onDone((await move.mutateAsync({ id, parent })).id)
        return () => move.mutateAsync({ id, parent: before })
      }}
      {...frame}
    >
      <SelectField
        label={t('folders.move_to')}
        value={to}
        options={[
          { value: TOP, label: t('folders.root') },
          ...targets.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onChange={setTo}
        searchable
        insidePopover
      />
    </ActionFrame>
  )
}

function DeleteForm({ folder, onDone, ...frame }: FolderFormProps) {
  const { t } = useTranslation('reports')
  const remove = useDeleteFolder()
  const restore = useRestoreFolder()
  const [keep, setKeep] = useState(false)
  return (
    <ActionFrame
      kind="delete"
      title={t('folders.delete_title', { name: folder.name })}
      confirm={t('folders.delete_confirm')}
      done={t('folders.deleted')}
      act={async () => {
        await remove.mutateAsync({ id: folder.id, mode: keep ? 'keepitems' : 'deleteitems' })
        onDone(null)
        // What was inside is one level up by now, mixed with what was there before.
        return keep ? undefined : () => restore.mutateAsync(folder.id)
      }}
      {...frame}
    >
      {!keep && <p className={styles.warning}>{t('folders.delete_detail')}</p>}
      <CheckboxField
        label={t('folders.keep_items')}
        hint={t('folders.keep_items_hint')}
        checked={keep}
        onChange={setKeep}
      />
    </ActionFrame>
  )
}
