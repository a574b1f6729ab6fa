// SPDX-License-Identifier: Apache-2.0
// The built extension in a mock of VS Code, with the real program (JAXPR): findings arrive, and the commands show its
// output.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { findProgram } = require('../src/program');
const { makeHost, loadExtension } = require('./host');

const WRONG = '{ lambda ; a:f32[3]. let\n    b:f32[3] = sin qq\n  in (b,) }\n';
const RIGHT = WRONG.replace('qq', 'a');
const jaxpr = process.env.JAXPR;

async function until(what, condition) {
  for (let i = 0; i < 400; i++) {
    const value = condition();
    if (value) {
      return value;
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  throw new Error(`timeout: waited for ${what}`);
}

test('finds the program: setting, environment, PATH, package', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jaxpr-'));
  try {
    const make = name => {
      const file = path.join(folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
      return file;
    };
    const environment = { PATH: path.join(folder, 'bin') };
    const find = (settings, more) => findProgram(settings, { environment, ...more });
    assert.equal(find({}), undefined);
    const python = make('bin/python3'); // an interpreter that reports that it has the package
    assert.deepEqual(find({}), { command: python, args: ['-m', 'jaxpr'] });
    const plain = make('bin/jaxpr');
    assert.deepEqual(find({}), { command: plain, args: [] });
    const inside = make('work/.venv/bin/jaxpr');
    assert.deepEqual(find({}, { folders: [path.join(folder, 'work')] }), { command: inside, args: [] });
    const chosen = make('other/bin/jaxpr');
    assert.deepEqual(find({ python: path.join(folder, 'other/bin/python') }), { command: chosen, args: [] });
    assert.deepEqual(find({ path: '/x' }), { command: '/x', args: [] });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

test('without a program, an error is shown', async () => {
  const { host, shown } = makeHost({ path: '' });
  const before = { ...process.env };
  process.env.PATH = '';
  delete process.env.VIRTUAL_ENV;
  delete process.env.CONDA_PREFIX;
  try {
    await loadExtension(host).activate({ subscriptions: [] });
  } finally {
    Object.assign(process.env, before);
  }
  assert.match(shown.find(one => one.error).error, /pip install \./);
});

test('server and commands', async t => {
  if (!jaxpr) {
    return t.skip('JAXPR is not set');
  }
  const { host, shown, commands, diagnostics, events, documents, makeDocument } = makeHost({ path: jaxpr, languages: ['log'] });
  const document = makeDocument(host.Uri.file('/nowhere/wrong.jaxpr'), WRONG, 'jaxpr');
  const log = makeDocument(host.Uri.file('/nowhere/run.log'), 'a log\n' + WRONG, 'log');
  documents.push(document, log);
  const extension = loadExtension(host);
  await extension.activate({ subscriptions: [] });
  try {
    const found = await until('findings', () => diagnostics.get(document.uri.toString())?.length &&
      diagnostics.get(document.uri.toString()));
    assert.equal(found[0].code?.value ?? found[0].code, 'S012');
    assert.deepEqual([found[0].range.start.line, found[0].range.start.character], [1, 19]);

    const inLog = await until('findings in a log', () => diagnostics.get(log.uri.toString())?.length &&
      diagnostics.get(log.uri.toString()));
    assert.deepEqual([inLog[0].range.start.line, inLog[0].range.start.character], [2, 19]);

    const right = { ...document, version: 2, getText: () => RIGHT };
    await events.onDidChangeTextDocument.fire({
      document: right, reason: undefined,
      contentChanges: [{ range: new host.Range(1, 19, 1, 21), rangeOffset: 44, rangeLength: 2, text: 'a' }],
    });
    await until('no findings', () => (diagnostics.get(document.uri.toString()) ?? []).length === 0);

    host.window.activeTextEditor = { document: right };
    await commands.get('jaxpr.showCosts')();
    assert.match(shown.at(-1).document.getText(), /transcendentals/);

    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'jaxpr-')), 'before.jaxpr');
    fs.writeFileSync(file, RIGHT.replace('sin', 'cos'));
    host.chosen = [host.Uri.file(file)];
    await commands.get('jaxpr.compareWithFile')();
    assert.match(shown.at(-1).document.getText(), /cos[^]*sin/);
    assert.equal(shown.at(-1).document.languageId, 'diff');
    fs.writeFileSync(file, RIGHT);
    await commands.get('jaxpr.compareWithFile')();
    assert.match(shown.at(-1).information, /same/);
    fs.rmSync(path.dirname(file), { recursive: true });

    await commands.get('jaxpr.showReport')();
    assert.match(shown.at(-1).panel.webview.html, /<html|<!doctype html/i);
  } finally {
    await extension.deactivate();
  }
});
