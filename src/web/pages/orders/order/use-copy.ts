import { useNavigate } from '@tanstack/react-router'
import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useAction } from '#web/pages/orders/data.ts'

/** Copies an order as a new draft and opens the draft. */
export function useCopy() {
  const { t } = useTranslation('orders')
  const navigate = useNavigate()
  const action = useAction()
  const failureText = useFailureText()
  return (id: number, version: number) =>
    action.mutate(
      { id, action: 'copy', body: { version } },
      {
        async onSuccess(draft) {
          await navigate({ to: '/customer/insertion-order/$id/edit', params: { id: String(draft.id) } })
          showToast({ severity: 'success', message: t('copied') })
        },
        onError: error => showToast({ severity: 'error', message: failureText(error) ?? t('failed') }),
      },
    )
}
