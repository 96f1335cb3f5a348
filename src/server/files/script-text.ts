/**
 * Whether a text is a script or a page, by how it begins. A list of advertising tags has the same in it, but
 * not at its beginning; so this finds what a system or a browser would recognise, and no other code.
 *
 * Comments are skipped by hand and every repetition is short: such a text may be made to take long.
 */
export function isScript(text: string): boolean {
  const [page, code] = [after(text, markupComments), after(text, codeComments)]
  return (
    pages.some(start => start.test(page)) ||
    programs.some(start => start.test(code)) ||
    signs.some(sign => sign.test(text))
  )
}

const markupComments = [
  ['<!--', '-->'],
  ['<?xml', '?>'],
] as const
const codeComments = [
  ['/*', '*/'],
  ['<#', '#>'],
  ['//', '\n'],
  ['# ', '\n'],
  ["'", '\n'],
  ['::', '\n'],
  ['rem ', '\n'],
] as const

/** The text from where it begins. */
function after(text: string, comments: readonly (readonly [string, string])[]): string {
  for (let at = 0; ;) {
    while (/\s/.test(text.charAt(at))) at += 1
    const comment = comments.find(([start]) => text.slice(at, at + start.length).toLowerCase() === start)
    if (!comment) return text.slice(at)
    const end = text.indexOf(comment[1], at + comment[0].length)
    if (end < 0) return ''
    at = end + comment[1].length
  }
}

const pages: readonly RegExp[] = [
  // https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
  /^<(!doctype (html|svg)|html|head|body|script|iframe|style|title|table|h1|div|font|img|a|br|p|b)\b/i,
  /^<(svg|object|embed|link|meta|form|input|xsl:stylesheet|hta:application)\b/i,
  // Whatever they are called, by their namespace.
  /^<[\w:.-]{1,50}\s[^>]{0,2000}www\.w3\.org\/(2000\/svg|1999\/xhtml)/i,
  /^<(\?=|%)/,
]

const programs: readonly RegExp[] = [
  /^#!/,
  // Command files of Windows.
  /^@?echo off\b|^(setlocal|cmd(\.exe)? \/c|powershell(\.exe)? -|start \/b|regsvr32|mshta) ?/i,
  // Visual Basic.
  /^(option explicit|on error resume next)\b/i,
  // PowerShell.
  /^(param\s{0,9}\(|function \w{1,30}-\w|set-executionpolicy|import-module|invoke-(expression|webrequest))/i,
  /^(write-(host|output)|new-object|start-process)\b|^\$\w{1,50}\s{0,9}=/i,
  // JavaScript.
  /^(['"]use strict['"]|(async )?function\s{0,9}[\w$]{0,50}\s{0,9}\(|[(!;]{1,9}(async )?function\b)/,
  /^(\((async\s{0,9})?\([^()]{0,100}\)\s{0,9}=>|(var|let|const) [\w$]{1,50}\s{0,9}=|import\s{0,9}['"{*])/,
  /^(export (default|const|function|class)\b|(window|document|self|globalThis|module\.exports)[.=[ ])/,
  /^(eval|require|alert)\s{0,9}\(/,
  /^\[(internetshortcut|desktop entry|shellclassinfo)\]|^\[\.shellclassinfo\]/i,
  /^(windows registry editor|regedit4)/i,
]

const signs: readonly RegExp[] = [
  /<\?php\b/i,
  /\b(createobject|activexobject|wscript\.(shell|createobject|echo))\s{0,9}\(/i,
]
