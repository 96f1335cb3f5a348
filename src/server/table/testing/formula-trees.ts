import * as fc from 'fast-check'

/* Formulas as trees, and their text as people would write it. */

export type FormulaTree =
  | { kind: 'number'; text: string }
  /** `block` counts from 0; null: the row's own. */
  | { kind: 'metric'; metric: string; block: number | 'all' | null }
  | { kind: 'negative'; of: FormulaTree }
  | { kind: 'operation'; sign: Sign; left: FormulaTree; right: FormulaTree; loose: boolean }
type Sign = '+' | '-' | '*' | '/'
type MetricLeaf = Extract<FormulaTree, { kind: 'metric' }>

/** With one metric at least: nothing can be worked out of numbers alone. */
export const anyFormula = (leaf: fc.Arbitrary<MetricLeaf>): fc.Arbitrary<FormulaTree> => {
  const { tree } = fc.letrec<{ tree: FormulaTree; operation: FormulaTree }>(tie => ({
    tree: fc.oneof({ maxDepth: 4 }, leaf, number, tie('operation'), negative(tie('tree'))),
    operation: operationOf(tie('tree'), tie('tree')),
  }))
  return fc.oneof(leaf, operationOf(leaf, tree), operationOf(tree, leaf))
}

const number: fc.Arbitrary<FormulaTree> = fc
  .constantFrom('0', '1', '2', '3', '100', '1000', '0.1', '0.3', '2.5', '0.000001', '007', '999999999999.9')
  .map(text => ({ kind: 'number', text }))

const negative = (of: fc.Arbitrary<FormulaTree>): fc.Arbitrary<FormulaTree> =>
  of.map(each => ({ kind: 'negative', of: each }))

const operationOf = (
  left: fc.Arbitrary<FormulaTree>,
  right: fc.Arbitrary<FormulaTree>,
): fc.Arbitrary<FormulaTree> =>
  fc.record({
    kind: fc.constant('operation' as const),
    sign: fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const),
    left,
    right,
    loose: fc.boolean(),
  })

/** With no more parentheses than it takes: signs of one rank apply from left to right. */
export function textOf(tree: FormulaTree): string {
  switch (tree.kind) {
    case 'number':
      return tree.text
    case 'metric':
      return tree.block === null ? tree.metric : `${blockText(tree.block)}.${tree.metric}`
    case 'negative':
      return `-${enclosed(tree.of, rankOf(tree.of) < SIGNED)}`
    case 'operation': {
      const rank = rankOf(tree)
      const left = enclosed(tree.left, rankOf(tree.left) < rank)
      const right = enclosed(tree.right, rankOf(tree.right) <= rank)
      const glyph = tree.loose ? glyphs[tree.sign] : tree.sign
      return tree.loose ? `${left} ${glyph} ${right}` : `${left}${glyph}${right}`
    }
  }
}

const SIGNED = 3
const glyphs: Record<Sign, string> = { '+': '+', '-': '−', '*': '×', '/': '÷' }

const blockText = (block: number | 'all') => (block === 'all' ? 'all' : String(block + 1))

const enclosed = (tree: FormulaTree, needed: boolean) => (needed ? `(${textOf(tree)})` : textOf(tree))

function rankOf(tree: FormulaTree): number {
  if (tree.kind !== 'operation') return SIGNED
  return tree.sign === '+' || tree.sign === '-' ? 1 : 2
}

/** Every metric in it. */
export function leavesOf(tree: FormulaTree): MetricLeaf[] {
  switch (tree.kind) {
    case 'number':
      return []
    case 'metric':
      return [tree]
    case 'negative':
      return leavesOf(tree.of)
    case 'operation':
      return [...leavesOf(tree.left), ...leavesOf(tree.right)]
  }
}
