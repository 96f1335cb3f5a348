import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

// How the code reads, in numbers, each beside its budget: `npm run style`; with `--list NAME` the places that
// count. A part of the checks. A budget only ever goes down: whoever brings a figure below it writes the
// lower one here.

/**
 * @typedef {{ path: string, text: string, lines: number, isTest: boolean, tree: ReturnType<typeof parseSync>
 * }} Source
 * @typedef {{ at: string, size: number }} Place
 * @typedef {{ name: string, what: string, budget: number, least?: number, figure: number, places: Place[] }}
 * Measure
 */

/**
 * Words that this project used in senses of its own, and participles that stood for nouns. A name with one of
 * them says less than the word of the field: burst, action, cache, notify, requested, visible, orphaned,
 * unknown, invalid, recovery, target.
 */
const PRIVATE_WORDS = new Set(
  `herd deed deeds shelf told telling hear heard forsaken harms hindsight foresight workshop intake
  wanted asked asking given seen shown kept arranged taking hands mendable stranger strangers strange`.split(
    /\s+/,
  ),
)

const root = process.cwd()
const sources = readSources()
const product = sources.filter(({ isTest }) => !isTest)
const functions = product.flatMap(functionsIn)
const thousands = linesOf(product) / 1000

/** @type {Measure[]} */
const measures = [
  percentile('file-median', 'lines of a file, median', 90, 0.5, fileSizes()),
  percentile('file-p95', 'lines of a file, 95th percentile', 300, 0.95, fileSizes()),
  percentile('file-max', 'lines of a file, most', 510, 1, fileSizes()),
  percentile('function-p95', 'lines of a function, 95th percentile', 45, 0.95, functions.map(lengthOf)),
  percentile('function-max', 'lines of a function, most', 108, 1, functions.map(lengthOf)),
  count(
    'parameters',
    'functions with more than three parameters',
    29,
    functions.filter(({ parameters }) => parameters > 3),
  ),
  rate('any', '`any` in a thousand lines', 0.1, nodesOf('TSAnyKeyword')),
  rate('as', '`as` in a thousand lines, `as const` left out', 0.6, nodesOf('TSAsExpression', isNoConst)),
  rate('non-null', '`!` in a thousand lines', 0, nodesOf('TSNonNullExpression')),
  rate(
    'silenced',
    'silenced checks in a thousand lines',
    0.2,
    textOf(/(?:oxlint|eslint)-disable|@ts-(?:ignore|expect-error|nocheck)/),
  ),
  count(
    'barrels',
    'files that only pass on what others export',
    0,
    product.filter(isBarrel).map(placeOfFile),
  ),
  percent(
    'climbing',
    '% of the imports that climb with ../',
    0,
    importsThat(specifier => specifier.startsWith('../')),
  ),
  count(
    'file-cycles',
    'files that reach themselves by imports that run',
    0,
    cyclesOf(runtimeImports(path => path)),
  ),
  count('room-cycles', 'rooms that reach themselves by any import', 0, cyclesOf(allImports(roomOf))),
  count('comment-width', 'lines with a comment that are wider than 110 columns', 4, wideComments()),
  percent('comments', '% of the lines that are comments', 12, commentLines(), 6),
  count('fragments', 'files under 20 lines with one user', 24, fragments()),
  count('two-spellings', 'files that name one thing isOpen and is_open', 3, product.flatMap(twoSpellings)),
  count(
    'snake-locals',
    'variables, parameters and functions in snake_case',
    563,
    product.flatMap(snakeNames),
  ),
  count('private-words', 'names with a word that only this project uses so', 10, [
    ...sources.flatMap(privateNames),
    ...privateFiles(),
  ]),
  ratio(
    'tests',
    'lines of tests for each line of the product',
    1.1,
    linesOf(sources) / linesOf(product) - 1,
    0.6,
  ),
]

const listed = process.argv.indexOf('--list')
if (listed > 0) list(process.argv[listed + 1] ?? '')
else report()

/** @param {string} name */
function list(name) {
  const measure = measures.find(each => each.name === name)
  const places = measure?.places.toSorted((a, b) => b.size - a.size) ?? []
  for (const { at, size } of places) console.log(size > 1 ? `${at} ${size}` : at)
}

function report() {
  const failed = measures.filter(isOver)
  for (const measure of measures) {
    const { name, what, figure, budget, least } = measure
    const bounds = `${least === undefined ? '≤' : `${least} to`} ${budget}`
    console.log(
      `${isOver(measure) ? '✗' : '✓'} ${name.padEnd(16)}${show(figure).padStart(8)}  ${bounds.padEnd(12)}${what}`,
    )
  }
  console.log(`style: ${measures.length - failed.length} passed, ${failed.length} failed`)
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** @param {Measure} measure */
function isOver({ figure, budget, least = 0 }) {
  return figure > budget || figure < least
}

/** @param {number} figure */
function show(figure) {
  return Number.isInteger(figure) ? String(figure) : figure.toFixed(2)
}

// Ways to make one figure out of places.

/**
 * @param {string} name @param {string} what @param {number} budget @param {number} share @param {Place[]}
 * places @returns {Measure}
 */
function percentile(name, what, budget, share, places) {
  const sizes = places.map(({ size }) => size).toSorted((a, b) => a - b)
  return { name, what, budget, figure: sizes[Math.ceil(sizes.length * share) - 1] ?? 0, places }
}

/**
 * @param {string} name @param {string} what @param {number} budget @param {Place[]} places @returns {Measure}
 */
function count(name, what, budget, places) {
  return { name, what, budget, figure: places.length, places }
}

/**
 * @param {string} name @param {string} what @param {number} budget @param {Place[]} places @returns {Measure}
 */
function rate(name, what, budget, places) {
  return { name, what, budget, figure: places.length / thousands, places }
}

/**
 * @param {string} name @param {string} what @param {number} budget @param {{ share: number, places: Place[]
 * }} found @param {number} [least] @returns {Measure}
 */
function percent(name, what, budget, { share, places }, least) {
  return { name, what, budget, figure: share * 100, places, ...(least !== undefined && { least }) }
}

/**
 * @param {string} name @param {string} what @param {number} budget @param {number} figure @param {number}
 * least @returns {Measure}
 */
function ratio(name, what, budget, figure, least) {
  return { name, what, budget, figure, least, places: [] }
}

// What is measured.

function readSources() {
  return ['src', 'bench', 'scripts', 'e2e']
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(file => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
        .map(file => readSource(join(folder, file))),
    )
}

/** @param {string} path @returns {Source} */
function readSource(path) {
  const text = readFileSync(join(root, path), 'utf8')
  const isTest = !path.startsWith('src/') || /\.test\.tsx?$|\/(?:testing|gallery)\//.test(path)
  return { path, text, lines: text.split('\n').length - 1, isTest, tree: parseSync(path, text) }
}

/** @param {Source[]} files */
function linesOf(files) {
  return files.reduce((sum, { lines }) => sum + lines, 0)
}

/** @param {Source} source @returns {Place} */
function placeOfFile({ path, lines }) {
  return { at: path, size: lines }
}

function fileSizes() {
  return product.map(placeOfFile)
}

/** @param {Source} source */
function functionsIn({ path, text, tree }) {
  /** @type {{ at: string, size: number, parameters: number }[]} */
  const found = []
  const lineAt = lineFinder(text)
  /** @param {{ start: number, end: number, params: readonly unknown[] }} node */
  const add = ({ start, end, params }) => {
    const line = lineAt(start)
    found.push({ at: `${path}:${line}`, size: lineAt(end) - line + 1, parameters: params.length })
  }
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(tree.program)
  return found
}

/** @param {Place} place */
function lengthOf(place) {
  return place
}

/**
 * @param {'TSAnyKeyword' | 'TSAsExpression' | 'TSNonNullExpression'} type @param {(node: any) => boolean}
 * [counts]
 */
function nodesOf(type, counts = () => true) {
  return product.flatMap(({ path, text, tree }) => {
    /** @type {Place[]} */
    const places = []
    const lineAt = lineFinder(text)
    new Visitor({
      [type]: (/** @type {{ start: number }} */ node) => {
        if (counts(node)) places.push({ at: `${path}:${lineAt(node.start)}`, size: 1 })
      },
    }).visit(tree.program)
    return places
  })
}

/** @param {{ typeAnnotation: { type: string, typeName?: { name?: string } } }} node */
function isNoConst({ typeAnnotation }) {
  return typeAnnotation.typeName?.name !== 'const'
}

/** @param {RegExp} pattern */
function textOf(pattern) {
  return product.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [{ at: `${path}:${index + 1}`, size: 1 }] : [])),
  )
}

/** @param {Source} source */
function isBarrel({ tree }) {
  const { body } = tree.program
  return (
    body.length > 0 &&
    body.every(
      ({ type, ...node }) =>
        type === 'ExportAllDeclaration' ||
        (type === 'ExportNamedDeclaration' && 'source' in node && node.source !== null),
    )
  )
}

/** @param {(specifier: string) => boolean} counts */
function importsThat(counts) {
  const all = product.flatMap(({ path, tree }) =>
    tree.module.staticImports.map(({ moduleRequest }) => ({
      at: `${path} ${moduleRequest.value}`,
      size: 1,
      specifier: moduleRequest.value,
    })),
  )
  const places = all.filter(({ specifier }) => counts(specifier))
  return { share: places.length / all.length, places }
}

/**
 * Which files (or folders) a file imports when it runs; types are gone by then. @param {(path: string) =>
 * string} nodeOf
 */
function runtimeImports(nodeOf) {
  return graphOf(nodeOf, ({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
}

/** @param {(path: string) => string} nodeOf */
function allImports(nodeOf) {
  return graphOf(nodeOf, () => true)
}

/**
 * @param {(path: string) => string} nodeOf
 * @param {(entry: { entries: readonly { isType: boolean }[] }) => boolean} counts
 */
function graphOf(nodeOf, counts) {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map()
  for (const { path, tree } of product) {
    const from = nodeOf(path)
    const targets = graph.get(from) ?? new Set()
    graph.set(from, targets)
    for (const entry of tree.module.staticImports) {
      const to = targetOf(entry.moduleRequest.value, path)
      if (to !== null && counts(entry) && nodeOf(to) !== from) targets.add(nodeOf(to))
    }
  }
  return graph
}

/**
 * The file below the root that a specifier names; null for a package. @param {string} specifier @param
 * {string} from
 */
function targetOf(specifier, from) {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  return specifier.startsWith('.') ? relative(root, join(root, dirname(from), specifier)) : null
}

/**
 * A folder of the second level, or one below where these are many of a kind; what stands beside them ties
 * them together. @param {string} path
 */
function roomOf(path) {
  const [, , room, inner, file] = path.split('/')
  if (inner === undefined) return path
  const isOneOfMany = (room === 'resources' || room === 'pages') && file !== undefined
  return path
    .split('/')
    .slice(0, isOneOfMany ? 4 : 3)
    .join('/')
}

/** Nodes from which a way leads back to them. @param {Map<string, Set<string>>} graph */
function cyclesOf(graph) {
  return [...graph.keys()].filter(node => reachedFrom(node, graph).has(node)).map(at => ({ at, size: 1 }))
}

/** @param {string} start @param {Map<string, Set<string>>} graph */
function reachedFrom(start, graph) {
  /** @type {Set<string>} */
  const reached = new Set(graph.get(start))
  for (const node of reached) for (const next of graph.get(node) ?? []) reached.add(next)
  return reached
}

function wideComments() {
  return sources.flatMap(({ path, text, tree }) => {
    const lines = text.split('\n')
    const lineAt = lineFinder(text)
    return tree.comments.flatMap(({ start, end }) =>
      Array.from({ length: lineAt(end) - lineAt(start) + 1 }, (_, index) => lineAt(start) + index)
        .filter(line => (lines[line - 1]?.length ?? 0) > 110)
        .map(line => ({ at: `${path}:${line}`, size: lines[line - 1]?.length ?? 0 })),
    )
  })
}

function commentLines() {
  const places = product.map(({ path, text, tree }) => {
    const lineAt = lineFinder(text)
    const size = tree.comments.reduce((sum, { start, end }) => sum + lineAt(end) - lineAt(start) + 1, 0)
    return { at: path, size }
  })
  return { share: places.reduce((sum, { size }) => sum + size, 0) / linesOf(product), places }
}

function fragments() {
  /** @type {Map<string, Set<string>>} */
  const users = new Map()
  for (const { path, text } of product)
    for (const [, start, rest] of text.matchAll(/'(#|\.\.?\/)([\w./-]+\.tsx?)'/g)) {
      const to = targetOf(`${start}${rest}`, path)
      if (to !== null) users.set(to, (users.get(to) ?? new Set()).add(path))
    }
  return product.filter(({ path, lines }) => lines < 20 && users.get(path)?.size === 1).map(placeOfFile)
}

/** Every name that a file declares, with where it does. @param {Source} source */
function declaredIn({ path, text, tree }) {
  /** @type {{ at: string, size: number, name: string }[]} */
  const found = []
  const lineAt = lineFinder(text)
  /** @param {any} node */
  const add = node => {
    const target = node?.type === 'AssignmentPattern' ? node.left : node
    if (target?.type === 'Identifier')
      found.push({ at: `${path}:${lineAt(target.start)} ${target.name}`, size: 1, name: target.name })
  }
  /** @param {any} node */
  const addFunction = node => {
    add(node.id)
    node.params.forEach(add)
  }
  new Visitor({
    VariableDeclarator: node => add(node.id),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
  }).visit(tree.program)
  return found
}

/** @param {Source} source */
function privateNames(source) {
  return [...declaredIn(source), ...membersIn(source)].filter(({ name }) => hasPrivateWord(name))
}

function privateFiles() {
  return sources.filter(({ path }) => hasPrivateWord(path.replace(/\W/g, '_'))).map(placeOfFile)
}

/** @param {string} name */
function hasPrivateWord(name) {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
  return words.some(word => PRIVATE_WORDS.has(word))
}

/** Types, and what they say that their objects have. @param {Source} source */
function membersIn({ path, text, tree }) {
  /** @type {{ at: string, size: number, name: string }[]} */
  const found = []
  const lineAt = lineFinder(text)
  /** @param {any} node */
  const add = node => {
    if (node?.type === 'Identifier')
      found.push({ at: `${path}:${lineAt(node.start)} ${node.name}`, size: 1, name: node.name })
  }
  new Visitor({
    TSInterfaceDeclaration: node => add(node.id),
    TSTypeAliasDeclaration: node => add(node.id),
    ClassDeclaration: node => add(node.id),
    TSPropertySignature: node => add(node.key),
    TSMethodSignature: node => add(node.key),
  }).visit(tree.program)
  return found
}

/** @param {Source} source */
function snakeNames(source) {
  return declaredIn(source).filter(({ name }) => /^[a-z]+[a-z0-9]*_[a-z0-9_]+$/.test(name))
}

/** @param {Source} source */
function twoSpellings(source) {
  const names = new Set(source.text.match(/\b(?:is|has|can|may)(?:[A-Z]|_[a-z])\w*/g))
  const camel = (/** @type {string} */ name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())
  return [...names].some(name => name.includes('_') && names.has(camel(name))) ? [placeOfFile(source)] : []
}

/** 1-based lines of offsets. @param {string} text */
function lineFinder(text) {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  return (/** @type {number} */ offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
