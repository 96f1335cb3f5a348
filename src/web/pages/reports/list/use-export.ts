import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { downloadYaml } from './data.ts'

/** The limit of reports in one file. */
const MOST = 500

/** Downloads reports as YAML. */
export function useExport() {
  const { t } = useTranslation('actions')
  const failureText = useFailureText()
  return async (ids: readonly number[]) => {
    try {
      for (let at = 0; at < ids.length; at += MOST) await downloadYaml(ids.slice(at, at + MOST))
      showToast({ severity: 'success', message: t('exported') })
    } catch (error) {
      showToast({ severity: 'error', message: failureText(error) ?? t('export_failed') })
    }
  }
}
