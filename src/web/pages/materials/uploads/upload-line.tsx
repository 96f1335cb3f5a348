import { ActionIcon } from '@mantine/core'
import { IconCircleCheck, IconCopyCheck, IconRefresh, IconX } from '@tabler/icons-react'
import { LinkText } from '#web/client/links.tsx'
import type { Problem, ProblemCode } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MaterialKind } from '#web/pages/materials/paths.ts'
import { FilePreview, sizeText } from '#web/ui/chosen-files.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import type { Upload, Uploaded } from './upload-queue.ts'
import styles from './uploads.module.css'
import { queue } from './uploads.ts'

/** One file: how far it is, what has become of it, and what can be done about it. */
export function UploadLine({ upload }: { upload: Upload }) {
  const { t } = useTranslation('materials')
  const { id, file, state } = upload
  return (
    <li className={styles.line} data-status={state.status}>
      <FilePreview file={file} />
      <div className={styles.words}>
        <span className={styles.name}>{file.name}</span>
        <small>
          <State upload={upload} />
        </small>
        {state.status === 'sending' && (
          <progress max={1} value={state.share} aria-label={t('tray.progress_of', { name: file.name })} />
        )}
      </div>
      {mayPassLater(upload) && (
        <ActionIcon aria-label={t('tray.retry', { name: file.name })} onClick={() => queue.retry(id)}>
          <IconRefresh size={18} stroke={1.7} />
        </ActionIcon>
      )}
      {state.status === 'done' ? (
        <Outcome isDuplicate={state.row.duplicate === true} />
      ) : (
        <ActionIcon
          aria-label={t(state.status === 'failed' ? 'tray.remove' : 'tray.cancel', { name: file.name })}
          onClick={() => queue.remove(id)}
        >
          <IconX size={18} stroke={1.7} />
        </ActionIcon>
      )}
    </li>
  )
}

function Outcome({ isDuplicate }: { isDuplicate: boolean }) {
  const Icon = isDuplicate ? IconCopyCheck : IconCircleCheck
  return <Icon className={styles.outcome} size={20} stroke={1.7} aria-hidden />
}

function State({ upload: { file, envelope, state } }: { upload: Upload }) {
  const { t, language } = useTranslation('materials')
  const size = sizeText(file.size, language)
  switch (state.status) {
    case 'queued':
      return t('tray.queued', { size })
    case 'sending':
      return state.share < 1
        ? t('tray.sending', { percent: Math.floor(state.share * 100), size })
        : t('tray.processing')
    case 'waiting':
      return t('tray.waiting')
    case 'failed':
      return <Refusal problem={state.problem} />
    case 'done':
      return (
        <>
          {t(state.row.duplicate ? 'tray.duplicate' : 'tray.done')}{' '}
          <OpenLink kind={envelope.kind} row={state.row} />
        </>
      )
  }
}

function OpenLink({ kind, row: { id, name } }: { kind: MaterialKind; row: Uploaded }) {
  const { t } = useTranslation('materials')
  const list = { search: '', page: 1 }
  const words = { children: t('tray.open'), 'aria-label': t('tray.open_of', { name }) }
  return kind === 'image' ? (
    <LinkText to="/material/image" search={{ ...list, image: id }} {...words} />
  ) : (
    <LinkText to="/material/file" search={{ ...list, file: id }} {...words} />
  )
}

const Refusal = ({ problem }: { problem: Problem }) => (
  <ProblemText code={codeOf(problem)} audience="internal" />
)

/** What is wrong with the file itself says more than that something is. */
const codeOf = ({ code, fields }: Problem): ProblemCode => Object.values(fields).flat()[0] ?? code

/** Refused for a reason that lies in the file: sent again, it would be refused again. */
const inTheFile: readonly ProblemCode[] = [
  'file_empty',
  'file_infected',
  'file_too_large',
  'file_type',
  'image_damaged',
  'image_too_large',
  'image_type',
  'payload_too_large',
  'upload_too_large',
]

export const mayPassLater = ({ state }: Upload) =>
  state.status === 'failed' && !inTheFile.includes(codeOf(state.problem))
