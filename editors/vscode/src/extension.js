// SPDX-License-Identifier: Apache-2.0
// The client of `jaxpr lsp`, and commands that show output of the program.
'use strict';
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { findProgram, run } = require('./program');

const SCHEME = 'jaxpr-output';
let client;
const outputs = new Map(); // from the path of a document with SCHEME to its text

/** The interpreter that the Python extension uses; undefined if it is not installed or selects none. */
async function pythonOfExtension() {
  const extension = vscode.extensions.getExtension('ms-python.python');
  try {
    const api = extension && (extension.isActive ? extension.exports : await extension.activate());
    return api?.environments?.getActiveEnvironmentPath()?.path;
  } catch {
    return undefined;
  }
}

async function currentProgram() {
  const settings = vscode.workspace.getConfiguration('jaxpr');
  const python = await pythonOfExtension();
  return findProgram({ path: settings.get('path'), python: settings.get('python') }, {
    pythons: python ? [python] : [],
    folders: (vscode.workspace.workspaceFolders || []).map(folder => folder.uri.fsPath),
  });
}

async function programOrComplain() {
  const program = await currentProgram();
  if (!program) {
    vscode.window.showErrorMessage('The program `jaxpr` was not found: install it with `pip install .` in a clone of jaxpr, ' +
      'or set jaxpr.path.');
  }
  return program;
}

async function startClient() {
  const program = await programOrComplain();
  if (!program) {
    return;
  }
  const others = vscode.workspace.getConfiguration('jaxpr').get('languages') || [];
  const server = { command: program.command, args: [...program.args, 'lsp'] };
  client = new LanguageClient('jaxpr', 'Jaxpr', { run: server, debug: server }, {
    documentSelector: ['jaxpr', ...others].map(language => ({ language })),
    synchronize: { configurationSection: 'jaxpr' },
  });
  await client.start();
}

async function stopClient() {
  const old = client;
  client = undefined;
  await old?.stop();
}

/** Shows a text in an editor beside the active one. */
async function showText(name, text, language) {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
  outputs.set(uri.path, text);
  changed.fire(uri);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.languages.setTextDocumentLanguage(document, language);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

/**
 * Runs the program on the text of the active editor; returns its output. If it fails, shows its error and returns
 * undefined.
 */
async function runOnEditor(args) {
  const editor = vscode.window.activeTextEditor;
  const program = editor && await programOrComplain();
  if (!program) {
    return undefined;
  }
  try {
    return await run(program, args, editor.document.getText());
  } catch (error) {
    vscode.window.showErrorMessage(`jaxpr: ${error.message}`);
    return undefined;
  }
}

async function diff() {
  const files = await vscode.window.showOpenDialog({ title: 'Compare with', canSelectMany: false });
  const text = files?.length ? await runOnEditor(['diff', '--color=never', files[0].fsPath, '-']) : undefined;
  if (text === '') {
    vscode.window.showInformationMessage('The programs are the same.');
  } else if (text !== undefined) {
    await showText('changes.diff', text, 'diff');
  }
}

async function cost() {
  const text = await runOnEditor(['stats', '--cost', '--color=never', '-']);
  if (text !== undefined) {
    await showText('costs', text, 'plaintext');
  }
}

async function report() {
  const page = await runOnEditor(['report', '-']);
  if (page !== undefined) {
    const panel = vscode.window.createWebviewPanel('jaxpr.showReport', 'Jaxpr report', vscode.ViewColumn.Beside,
      { enableScripts: true, enableFindWidget: true, retainContextWhenHidden: true });
    panel.webview.html = page;
  }
}

let changed;

async function activate(context) {
  changed = new vscode.EventEmitter();
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: uri => outputs.get(uri.path) ?? '',
    }),
    vscode.workspace.onDidCloseTextDocument(document => {
      if (document.uri.scheme === SCHEME) {
        outputs.delete(document.uri.path);
      }
    }),
    vscode.commands.registerCommand('jaxpr.compareWithFile', diff),
    vscode.commands.registerCommand('jaxpr.showCosts', cost),
    vscode.commands.registerCommand('jaxpr.showReport', report),
    vscode.commands.registerCommand('jaxpr.restartServer', async () => {
      await stopClient();
      await startClient();
    }));
  await startClient();
}

module.exports = { activate, deactivate: stopClient };
