import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

/** A string literal in the code, and its role there. */
export interface Found {
  file: string
  text: string
  /** `JSX` between tags; else the attribute or property that it is given as; null elsewhere. */
  as: string | null
}

const src = join(import.meta.dirname, '../..')

/** The files under folders of src that are part of the product. */
export const sourcesIn = (...folders: string[]): string[] =>
  folders.flatMap(folder =>
    readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => /\.tsx?$/.test(file) && !/\.test\.|(^|\/)testing\/|\.d\.ts$/.test(file))
      .map(file => `${folder}/${file}`),
  )

/** Every text in a file, that of types and imports left out. */
export function literalsIn(file: string): Found[] {
  const found: Found[] = []
  walk(treeOf(file), null, (text, as) => found.push({ file, text, as }))
  return found
}

/** Texts that are given in English and Chinese side by side: `{ en: '…', 'zh-TW': '…' }`. */
export function pairsIn(file: string): { file: string; en: string; chinese: string }[] {
  const pairs: { file: string; en: string; chinese: string }[] = []
  const visit = (node: Node) => {
    if (node.type === 'ObjectExpression') {
      const texts = new Map(
        nodesIn(node.properties).map(property => [nameOf(property), textOf(property.value)]),
      )
      const [en, chinese] = [texts.get('en'), texts.get('zh-TW')]
      if (typeof en === 'string' && typeof chinese === 'string') pairs.push({ file, en, chinese })
    }
    for (const value of Object.values(node)) for (const child of nodesIn(value)) visit(child)
  }
  visit(treeOf(file))
  return pairs
}

function treeOf(file: string): Node {
  const { program } = parseSync(file, readFileSync(join(src, file), 'utf8'))
  return program as unknown as Node
}

function walk(node: Node, as: string | null, say: (text: string, as: string | null) => void) {
  if (
    /^(Import|Export\w+From|TS)/.test(node.type) &&
    node.type !== 'TSAsExpression' &&
    node.type !== 'TSSatisfiesExpression'
  )
    return
  if (node.type === 'JSXText') say(String(node.value).trim(), 'JSX')
  else if (node.type === 'Literal' && typeof node.value === 'string') say(node.value, as)
  else if (node.type === 'TemplateElement') say(String(Object(node.value).cooked), as)
  const own =
    node.type === 'JSXAttribute' || node.type === 'Property'
      ? nameOf(node)
      : node.type === 'JSXExpressionContainer'
        ? (as ?? 'JSX')
        : // What a call is given is no text of the element around it: t('key').
          /^(CallExpression|MemberExpression|BinaryExpression|ArrowFunctionExpression|SwitchCase)$/.test(
              node.type,
            )
          ? null
          : as
  for (const [key, value] of Object.entries(node)) {
    if (key === 'key' || key === 'test') continue
    for (const child of nodesIn(value)) walk(child, own, say)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value
const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode)

function nameOf(node: Node): string | null {
  const name = node.key ?? node.name
  if (!isNode(name)) return null
  return typeof name.name === 'string' ? name.name : typeof name.value === 'string' ? name.value : null
}

const textOf = (value: unknown) =>
  isNode(value) && value.type === 'Literal' && typeof value.value === 'string' ? value.value : null
