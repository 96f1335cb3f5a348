import { useMutation } from '@tanstack/react-query'
import type { Language } from '#shared/language.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'

export const SETTINGS = '/api/insight-setting/'

/** Reports mean by it what is saved here, so whatever they have read of it is read again. */
export function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const reload = useReloadSettings()
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSettled: reload })
}

export const useReloadSettings = () => useReload('insight-settings', 'catalogue', 'ec-spend')

/** What is wrong with a field, else why nothing could be done; for a form of one field. */
export const codeOf = ({ code, fields }: Problem) => Object.values(fields)[0]?.[0] ?? code

/** A metric or definition has a name for readers of each language. */
export const nameIn = ({ name, name_zh: nameZh }: { name: string; name_zh: string }, language: Language) =>
  language === 'en' ? name : nameZh
