// SPDX-License-Identifier: Apache-2.0
// Checks the TextMate grammar in VS Code's engine: JAXPR_CASES is a JSON file, [{ name, lines: [[text, classes]] }],
// where `classes` has a letter for each character, by the rules of editors/generate; JAXPR_SCOPES maps scopes to
// letters.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const oniguruma = require('vscode-oniguruma');
const { Registry, parseRawGrammar, INITIAL } = require('vscode-textmate');

const folder = path.join(__dirname, '..');

async function loadGrammar() {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: text => new oniguruma.OnigString(text),
    }),
    loadGrammar: async scope => {
      const file = path.join(folder, 'syntaxes', 'jaxpr.tmLanguage.json');
      return scope === 'source.jaxpr' ? parseRawGrammar(fs.readFileSync(file, 'utf8'), file) : null;
    },
  });
  return registry.loadGrammar('source.jaxpr');
}

test('scopes of recorded programs', async t => {
  if (!process.env.JAXPR_CASES) {
    return t.skip('JAXPR_CASES is not set');
  }
  const scopes = JSON.parse(process.env.JAXPR_SCOPES);
  const cases = JSON.parse(fs.readFileSync(process.env.JAXPR_CASES, 'utf8'));
  const grammar = await loadGrammar();
  let lines = 0;
  for (const { name, lines: expected } of cases) {
    let state = INITIAL;
    for (const [text, classes] of expected) {
      const result = grammar.tokenizeLine(text, state);
      state = result.ruleStack;
      let got = '';
      for (const token of result.tokens) {
        const scope = token.scopes[token.scopes.length - 1];
        for (let i = token.startIndex; i < Math.min(token.endIndex, text.length); i++) {
          got += /\s/.test(text[i]) && scope === 'source.jaxpr' ? ' ' : scopes[scope] ?? '?';
        }
      }
      assert.equal(got, classes, `${name}: ${text}`);
      lines++;
    }
  }
  assert.ok(lines > 100);
  t.diagnostic(`${lines} lines`);
});
