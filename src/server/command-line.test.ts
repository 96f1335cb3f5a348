import { expect, it } from 'vitest'
import { splitCommand } from './command-line.ts'

it.each([
  ['clamdscan --fdpass -', ['clamdscan', '--fdpass', '-']],
  ['  /opt/scan\t -a\n-b  ', ['/opt/scan', '-a', '-b']],
  [`"/opt/my scan/run" --name 'it is "$HOME"'`, ['/opt/my scan/run', '--name', 'it is "$HOME"']],
  [String.raw`scan a\ b "say \"hi\" \\ \n" '\'`, ['scan', 'a b', String.raw`say "hi" \ \n`, '\\']],
  [`scan --x="a b"'c d'e ''`, ['scan', '--x=a bc de', '']],
  ['scan $(rm) `id` | tee > file; exit *', ['scan', '$(rm)', '`id`', '|', 'tee', '>', 'file;', 'exit', '*']],
])('splits %s', (line, words) => {
  expect(splitCommand(line)).toEqual(words)
})

it.each(['', '  ', '"scan', "scan 'x", 'scan "x\\"', 'scan x\\', `scan 'a'"b`, "'' x"])(
  'has no program in %j',
  line => {
    expect(splitCommand(line)).toBeNull()
  },
)
