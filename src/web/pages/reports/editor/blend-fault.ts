import type { useTranslation } from '#web/i18n/use-translation.ts'
import type { FieldError } from './errors.ts'

/** Why a text is no formula over channels, and the place in it that is marked. */
export interface BlendFault {
  at: number
  length: number
  why: string
}

type Words = ReturnType<typeof useTranslation<'editing'>>['t']

/** As the rules and the server judge it; null: it is one, or its reason has no place in it. */
export function blendFault(formula: string, { code, detail }: FieldError, t: Words): BlendFault | null {
  const at = typeof detail['at'] === 'number' ? detail['at'] : null
  if (at === null) return null
  switch (code) {
    case 'formula_syntax':
      return { at, length: 1, why: syntaxText(formula.slice(at), t) }
    case 'formula_unknown': {
      const [operand = ''] = /^[\w.]*/.exec(formula.slice(at)) ?? []
      return { at, length: operand.length, why: unknownText(operand, t) }
    }
    case 'formula_units':
      return detail['operator'] === undefined
        ? { at: 0, length: formula.length, why: t('blend.no_money') }
        : { at, length: 1, why: t('blend.mixed') }
    default:
      return null
  }
}

function syntaxText(rest: string, t: Words): string {
  if (rest.trim() === '') return t('blend.unfinished')
  return rest.startsWith('?.') ? t('blend.channel_removed') : t('blend.syntax', { found: rest.slice(0, 1) })
}

function unknownText(operand: string, t: Words): string {
  return operand.includes('.') ? t('blend.unknown', { operand }) : t('blend.no_channel', { metric: operand })
}
