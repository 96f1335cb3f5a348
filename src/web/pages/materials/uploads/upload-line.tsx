import { ActionIcon } from '@mantine/core'
import { IconCircleCheck, IconCopyCheck, IconRefresh, IconX } from '@tabler/icons-react'
import { LinkText } from '#web/client/links.tsx'
import type { Problem, ProblemCode } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
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
        {state.status === 'done' ? (
          <OpenLink upload={upload} row={state.row} />
        ) : (
          <span className={styles.name}>{file.name}</span>
        )}
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

function State({ upload: { file, state } }: { upload: Upload }) {
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
      if (!state.row.duplicate) return t('tray.done')
      return state.row.name === file.name
        ? t('tray.duplicate')
        : t('tray.duplicate_as', { name: state.row.name })
  }
}

/** Its name, which leads to it. */
function OpenLink({ upload: { file, envelope }, row: { id } }: { upload: Upload; row: Uploaded }) {
  const list = { search: '', page: 1 }
  const look = { className: styles.name ?? '', children: file.name }
  return envelope.kind === 'image' ? (
    <LinkText to="/material/image" search={{ ...list, image: id }} {...look} />
  ) : (
    <LinkText to="/material/file" search={{ ...list, file: id }} {...look} />
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
