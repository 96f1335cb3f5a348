import type { Problem } from '#web/client/problem.ts'
import type { useTranslation } from '#web/i18n/use-translation.ts'

type T = ReturnType<typeof useTranslation<'reports'>>['t']
export type FolderActionKind = 'create' | 'rename' | 'move' | 'delete'

/** What went wrong with a folder, in the product's own words for each action. */
export function folderProblem(t: T, action: FolderActionKind, problem: Problem): string {
  const isUnknown = problem.status === 0 || problem.code === 'unreadable'
  if (action === 'create') {
    if (has(problem, 'name')) return t('folders.problem_name')
    if (has(problem, 'layer')) return t('folders.problem_layer')
  }
  if (action === 'move') {
    if (problem.code === 'has_subfolders') return t('folders.problem_has_folders')
    if (has(problem, 'layer')) return t('folders.problem_too_deep')
    if (problem.code === 'folder_layer') return t('folders.problem_layer')
    if (has(problem, 'name')) return t('folders.problem_duplicate')
    if (isUnknown) return t('folders.problem_unknown')
  }
  if (action === 'rename' && !isUnknown) return t('folders.problem_duplicate')
  return t('folders.problem')
}

const has = (problem: Problem, field: string) => field in problem.body || field in problem.fields
