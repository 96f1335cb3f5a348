import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { kindOfFile } from './file-kind.ts'
import { isScript } from './script-text.ts'
import { png } from './testing/pictures.ts'

const folder = await mkdtemp(join(tmpdir(), 'sheetcast-kinds-'))
afterAll(() => rm(folder, { recursive: true }))

async function kindOf(content: string | Uint8Array, name = 'a.bin') {
  const path = join(folder, randomUUID())
  await writeFile(path, content)
  return await kindOfFile(path, name)
}
const latin = (text: string) => Buffer.from(text, 'latin1')

/** A ZIP archive of empty files, stored and not compressed. */
function zip(...names: string[]): Buffer {
  return Buffer.concat(
    names.map(name => {
      const head = Buffer.alloc(30)
      head.write('PK\x03\x04', 'latin1')
      head.writeUInt16LE(name.length, 26)
      return Buffer.concat([head, Buffer.from(name)])
    }),
  )
}

/** A compound file whose root, in the sector after so many, has this class. */
function compound(classId: string, sectors = 0): Buffer {
  const bytes = Buffer.alloc(512 * (3 + sectors))
  bytes.write('d0cf11e0a1b11ae1', 'hex')
  bytes.writeUInt16LE(9, 30)
  bytes.writeUInt32LE(sectors, 48)
  bytes.write(classId, 512 * (sectors + 1) + 80, 'hex')
  return bytes
}

describe('a program or a script', () => {
  it.each<[string, string | Buffer]>([
    ['of Windows', Buffer.concat([latin('MZ\x90\0'), Buffer.alloc(200)])],
    ['of Linux', Buffer.concat([latin('\x7fELF\x02\x01\x01'), Buffer.alloc(200)])],
    ['of macOS', Buffer.concat([latin('\xcf\xfa\xed\xfe\x07\0\0\x01'), Buffer.alloc(200)])],
    ['of Java', Buffer.concat([latin('\xca\xfe\xba\xbe\0\0\0\x41'), Buffer.alloc(200)])],
    ['as an archive of Java', zip('META-INF/MANIFEST.MF', 'a.class')],
    ['of Android', zip('AndroidManifest.xml', 'classes.dex')],
    ['as an installer', compound('84100c0000000000c000000000000046')],
    ['as an installer whose directory is far behind', compound('84100c0000000000c000000000000046', 400)],
    ['as a broken installer', latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
    [
      'as a package of Debian',
      latin('!<arch>\ndebian-binary   1342943816  0     0     100644  4         `\n2.0\n'),
    ],
    ['as a package of Red Hat', Buffer.concat([latin('\xed\xab\xee\xdb\x03\0'), Buffer.alloc(100)])],
    [
      'as a shortcut',
      Buffer.concat([latin('L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0F'), Buffer.alloc(100)]),
    ],
    ['of a shell', '#!/bin/sh\nrm -rf /\n'],
    ['of a shell behind a mark', '\ufeff#!/usr/bin/env python3\nprint(1)\n'],
    ['as a page', '<!DOCTYPE html><title>x</title>'],
    ['as a page behind comments', '\n\n<!-- a --><!-- <b> -->\n <HTML><script>alert(1)</script>'],
    ['as a page in UTF-16', Buffer.from('\ufeff<html><script>alert(1)</script>', 'utf16le')],
    ['as XHTML', '<?xml version="1.0"?>\n<!-- x --><html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['as an SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['as an SVG of another name', '<?xml version="1.0"?><s:svg xmlns:s="http://www.w3.org/2000/svg"/>'],
    ['as an application of pages', '<hta:application id="x"><script>x</script>'],
    ['of PHP', '<?php system($_GET[0]);'],
    ['of PHP behind something', 'An old format: <?php system($_GET[0]); ?>'],
    ['of a command line', '@echo off\r\ndel *.*\r\n'],
    ['of a command line behind remarks', 'REM hello\r\n:: hello\r\n@ECHO OFF\r\n'],
    ['of Visual Basic', "' hello\nOption Explicit\nMsgBox 1"],
    ['of Visual Basic that makes an object', 'x = 1\nSet s = CreateObject("WScript.Shell")\ns.Run "calc"'],
    ['of PowerShell', '# hello\n$client = New-Object Net.WebClient\n'],
    ['of PowerShell with parameters', '<# hello #>\nparam([string]$x)\n'],
    ['of JavaScript', '// hello\n/* hello */\n"use strict"\nalert(1)'],
    ['of JavaScript as a function', ';(function () { alert(1) })()'],
    ['of JavaScript as a module', 'import { x } from "y"\n'],
    ['as an address', '[InternetShortcut]\nURL=file:///c:/x.exe'],
    ['as settings of Windows', 'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER]\r\n'],
  ])('is refused %s, whatever it is called', async (_, content) => {
    expect(await kindOf(content, 'x.pdf')).toBe('file_type')
    expect(await kindOf(content, '')).toBe('file_type')
  })

  it('is refused by its name where nothing else tells', async () => {
    for (const name of ['x.exe', 'x.js', 'x.HTML', 'x.svg', 'x.ps1', 'x.jpg.vbs'])
      for (const content of ['hello', randomBytes(100).fill(1, 0, 10)])
        expect(await kindOf(content, name)).toBe('file_type')
  })
})

describe('any other file', () => {
  it.each<[string, string | Buffer, string]>([
    ['x.pdf', '%PDF-1.7\n%\xe2\xe3\n', 'application/pdf'],
    ['x.zip', zip('a.txt', 'b.txt'), 'application/zip'],
    ['x.docx', zip('[Content_Types].xml', 'word/document.xml'), 'application/'],
    ['x.doc', compound('0609020000000000c000000000000046'), 'application/x-cfb'],
    ['x.xls', compound('2008020000000000c000000000000046', 500), 'application/x-cfb'],
    ['x.mp4', latin('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), 'video/mp4'],
    ['x.psd', Buffer.concat([latin('8BPS\0\x01'), Buffer.alloc(50)]), 'image/vnd.adobe.photoshop'],
    ['x.woff2', Buffer.concat([latin('wOF2\0\x01\0\0'), Buffer.alloc(50)]), 'font/woff2'],
    ['x.png', png(1, 1), 'image/png'],
    ['x.gz', gzipSync('hello'), 'application/gzip'],
    ['x.txt', 'Hello, this is a text.\nAnd its second line.', 'text/plain'],
    ['x.txt', '# Notes\n\nfunction and import are words.', 'text/plain'],
    ['x.txt', Buffer.from('\ufeff秋季特賣', 'utf16le'), 'text/plain'],
    ['x.txt', Buffer.from('aad3a9fe', 'hex'), 'text/plain'],
    ['x.csv', 'name;size\nA;1\n', 'text/csv'],
    ['tags.txt', 'name,tag\nA,"<script src=x></script>"\nB,"<a href=y>"\n', 'text/csv'],
    ['feed.xml', '<?xml version="1.0"?><rss><channel/></rss>', 'application/xml'],
    ['x.dat', randomBytes(1000).fill(0, 0, 10), 'application/octet-stream'],
    ['x.dat', Buffer.from([1]), 'application/octet-stream'],
  ])('%s is taken', async (name, content, mime) => {
    expect(await kindOf(content, name)).toEqual({ mime: expect.stringContaining(mime), name })
  })

  it.each<[string, string | Buffer, string]>([
    ['invoice.pdf.exe', '%PDF-1.7\n', 'invoice.pdf'],
    ['invoice.exe', '%PDF-1.7\n', 'invoice.pdf'],
    ['picture.jpeg', png(1, 1), 'picture.png'],
    ['picture.html', png(1, 1), 'picture.png'],
    ['drawing.ai', '%PDF-1.7\n', 'drawing.ai'],
    ['drawing.sketch', zip('document.json'), 'drawing.sketch'],
    ['archive.js', gzipSync('hello'), 'archive.gz'],
    ['picture', png(1, 1), 'picture.png'],
    ['archive', gzipSync('hello'), 'archive.gz'],
    ['notes', 'hello', 'notes'],
  ])('%s gets the ending of its kind where its own is another', async (name, content, expected) => {
    expect(await kindOf(content, name)).toMatchObject({ name: expected })
  })
})

it('comes to an end with any text', () => {
  // A pattern that tries every way to read one of these would not.
  for (const bit of [
    '<!---->',
    '/**/',
    '<',
    '<a:',
    '<svg ',
    '<?xml',
    '<!--',
    '# ',
    "'",
    ' ',
    '(',
    '<a xmlns="',
  ])
    expect(typeof isScript(bit.repeat(100_000))).toBe('boolean')
})
