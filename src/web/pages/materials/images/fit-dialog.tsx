import type { Image } from '#shared/api/materials.ts'
import { fitBox, type FitBox } from '#shared/materials/format-verdicts.ts'
import type { ImageFormat } from '#shared/materials/image-formats.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { useFitImage } from './data.ts'
import styles from './images.module.css'

interface FitDialogProps {
  image: Image
  format: ImageFormat
  onBroken: () => void
  onCopied: (copy: Image) => void
  onClose: () => void
}

/** Shows what is cut off before the copy is made. */
export function FitDialog({ image, format, onBroken, onCopied, onClose }: FitDialogProps) {
  const { t } = useTranslation('images')
  const fit = useFitImage(image.id)
  const box = fitBox(image, format)
  if (!box) return null
  const confirm = () =>
    fit.mutate(format, {
      onSuccess: copy => {
        const key = copy.duplicate ? 'fit.already_here' : 'fit.done'
        showToast({ severity: 'success', message: t(key, { name: copy.name }) })
        onClose()
        onCopied(copy)
      },
    })
  return (
    <ConfirmDialog
      opened
      title={t('fit.title', { format: t(`format.${format}`) })}
      detail={t('fit.detail')}
      confirm={t('fit.confirm')}
      loading={fit.isPending}
      problem={
        fit.error && (
          <ProblemText
            code={Object.values(fit.error.fields).flat()[0] ?? fit.error.code}
            audience="internal"
          />
        )
      }
      onConfirm={confirm}
      onClose={onClose}
    >
      <Cut image={image} box={box} onBroken={onBroken} />
      <p className={styles.cutWords}>
        <CutText image={image} box={box} />
      </p>
    </ConfirmDialog>
  )
}

interface CutProps {
  image: Image
  box: FitBox
}

/** The whole image, and in it the part that stays. */
function Cut({ image, box, onBroken }: CutProps & { onBroken: () => void }) {
  const { width, height, previews } = image
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`
  return (
    <div className={styles.cut}>
      <div className={styles.cutImage} style={{ aspectRatio: `${width} / ${height}` }}>
        {/* In words below. */}
        <img src={previews[1280]} width={width} height={height} alt="" onError={onBroken} />
        <div
          className={styles.cutPart}
          style={{
            left: share(box.left, width),
            top: share(box.top, height),
            width: share(box.width, width),
            height: share(box.height, height),
          }}
        />
      </div>
    </div>
  )
}

function CutText({ image, box }: CutProps) {
  const { t } = useTranslation('images')
  const to = `${box.to.width}×${box.to.height}`
  const [sides, above] = [image.width - box.width, image.height - box.height]
  const texts = [
    sides > 0 && t('fit.cut_sides', { count: sides }),
    above > 0 && t('fit.cut_above', { count: above }),
    sides + above === 0 && t('fit.whole'),
    box.to.width < box.width ? t('fit.smaller', { to }) : t('fit.size', { to }),
  ]
  return texts.filter(Boolean).join(' ')
}
