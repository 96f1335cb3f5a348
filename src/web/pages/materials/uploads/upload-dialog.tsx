import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '#web/client/me.ts'
import { showTray } from '#web/client/tray.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useReloadMaterials } from '#web/pages/materials/data.ts'
import { OwnerField } from '#web/pages/materials/owner-field.tsx'
import { advertiserOf, type Owner } from '#web/pages/materials/owner.ts'
import type { MaterialKind } from '#web/pages/materials/paths.ts'
import { StorageMeter } from '#web/pages/materials/storage-meter.tsx'
import { TagsInput } from '#web/pages/materials/tags-input.tsx'
import { ChosenFiles } from '#web/ui/chosen-files.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import type { ChosenFile } from './check-files.ts'
import { UploadTray } from './upload-tray.tsx'
import styles from './uploads.module.css'
import { queue } from './uploads.ts'

interface UploadDialogProps {
  kind: MaterialKind
  chosen: readonly ChosenFile[]
  /** Whose they are going to be, and their tags, unless somebody says otherwise. */
  owner: Owner | null
  tags: readonly string[]
  onMore: () => void
  onRemove: (file: File) => void
  /** They are on their way to this one. */
  onBegun: (owner: Owner) => void
  onClose: () => void
}

/** Whose the chosen files are: nothing can change that afterwards. */
export function UploadDialog({ kind, chosen, ...props }: UploadDialogProps) {
  const { t } = useTranslation('materials')
  const { user_id } = useMe()
  const reload = useReloadMaterials(kind)
  const [owner, setOwner] = useState(props.owner)
  const [tags, setTags] = useState(props.tags)
  const [tried, setTried] = useState(false)
  const files = chosen.flatMap(({ file, refusal }) => (refusal === null ? [file] : []))
  function submit() {
    setTried(true)
    if (owner === null) return
    queue.add({
      files,
      envelope: { kind, advertiser: advertiserOf(owner), tags },
      user: user_id,
      onDone: () => void reload(),
    })
    showTray({ Content: UploadTray, forget: queue.clear })
    props.onBegun(owner)
  }
  return (
    <FormDialog
      opened
      size={520}
      title={t(`upload.title_${kind}`)}
      submit={t(`upload.submit_${kind}`, { count: files.length })}
      loading={false}
      isChanged={files.length > 0}
      disabled={files.length === 0}
      isReady={props.owner !== null}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <div className={styles.chosen}>
        <ChosenFiles files={files} inert={false} onRemove={props.onRemove} />
      </div>
      <div>
        <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} />} onClick={props.onMore}>
          {t('upload.more')}
        </Button>
      </div>
      <Refused chosen={chosen} />
      <div>
        <OwnerField
          label={t('field.owner')}
          hint={t('upload.owner_hint')}
          placeholder={t('upload.owner_placeholder')}
          active
          required
          value={owner}
          onChange={setOwner}
          error={tried && owner === null && <ProblemText code="field_required" audience="internal" />}
        />
        {owner !== null && <StorageMeter owner={owner} />}
      </div>
      <TagsInput kind={kind} value={tags} onChange={setTags} />
    </FormDialog>
  )
}

/** Those that the server would refuse; they are left out. */
function Refused({ chosen }: Pick<UploadDialogProps, 'chosen'>) {
  const { t } = useTranslation('materials')
  const refused = chosen.flatMap(({ file, refusal }) => (refusal === null ? [] : [{ file, refusal }]))
  if (refused.length === 0) return null
  return (
    <InlineAlert severity="warning" title={t('upload.refused', { count: refused.length })}>
      <ul className={styles.refused}>
        {refused.map(({ file, refusal }, at) => (
          <li key={`${file.name} ${file.size} ${at}`}>
            <strong>{file.name}</strong>{' '}
            {refusal === 'unreadable' ? (
              t('upload.unreadable')
            ) : (
              <ProblemText code={refusal} audience="internal" />
            )}
          </li>
        ))}
      </ul>
    </InlineAlert>
  )
}
