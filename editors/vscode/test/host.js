// SPDX-License-Identifier: Apache-2.0
// A mock of VS Code's API: what the extension and its language client use. Other classes only store their arguments.
'use strict';
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL, fileURLToPath } = require('node:url');

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self) => {
      const bound = self ? listener.bind(self) : listener;
      this.listeners.add(bound);
      return { dispose: () => this.listeners.delete(bound) };
    };
  }
  fire(value) {
    return Promise.all([...this.listeners].map(listener => listener(value)));
  }
  dispose() {
    this.listeners.clear();
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end, endLine, endCharacter) {
    this.start = typeof start === 'number' ? new Position(start, end) : start;
    this.end = typeof start === 'number' ? new Position(endLine, endCharacter) : end;
  }
}

class Uri {
  constructor(scheme, name) {
    Object.assign(this, { scheme, path: name, fsPath: name, authority: '', query: '', fragment: '' });
  }
  static file(name) {
    return new Uri('file', name);
  }
  static parse(text) {
    return text.startsWith('file:') ? Uri.file(fileURLToPath(text)) : new Uri(text.split(':')[0], text.replace(/^\w+:/, ''));
  }
  static from({ scheme, path: name }) {
    return new Uri(scheme, name);
  }
  with(change) {
    return Object.assign(new Uri(this.scheme, this.path), change);
  }
  toString() {
    return this.scheme === 'file' ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`;
  }
}

/** A kind of code action, which others are made of. */
function makeKind(value) {
  return { value, append: more => makeKind(value ? `${value}.${more}` : more), contains: () => true };
}

/** A host, with `settings` of the section jaxpr; `shown` lists what the extension showed. */
function makeHost(settings) {
  const commands = new Map();
  const events = {};
  const event = name => (events[name] ??= new EventEmitter()).event;
  const shown = [];
  const diagnostics = new Map();
  const providers = {};
  const nothing = { dispose() {} };
  const documents = [];
  const makeDocument = (uri, text, languageId) => ({
    uri, languageId, version: 1, fileName: uri.fsPath, isClosed: false, isDirty: false, isUntitled: false,
    lineCount: text.split('\n').length, getText: () => text,
  });
  const others = target => new Proxy(target, {
    get: (object, name) => {
      if (name in object || typeof name !== 'string') {
        return object[name];
      }
      if (name.startsWith('on')) {
        return event(name);
      }
      // a class, a function, or an enumeration
      object[name] = /^[A-Z]/.test(name) ? class { constructor(...given) { this.given = given; } } : () => nothing;
      return object[name];
    },
  });
  const configuration = section => ({
    get: (name, otherwise) => (section === 'jaxpr' ? settings[name] : undefined) ?? otherwise,
    has: name => section === 'jaxpr' && name in settings,
    inspect: () => undefined,
  });
  const host = others({
    version: '1.82.0',
    EventEmitter, Position, Range, Uri,
    Disposable: class { constructor(dispose) { this.dispose = dispose ?? (() => {}); } static from() { return nothing; } },
    CancellationTokenSource: class { constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: event('cancel') }; } cancel() {} dispose() {} },
    CancellationError: class extends Error {},
    Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    ViewColumn: { Active: -1, Beside: -2 },
    CodeActionKind: new Proxy({}, { get: (_, name) => makeKind(String(name)) }),
    env: { appName: 'host', appHost: 'desktop', language: 'en', machineId: 'host' },
    extensions: others({ getExtension: () => undefined, all: [] }),
    commands: others({
      registerCommand: (name, action) => {
        if (commands.has(name)) {
          throw new Error(`command '${name}' already exists`);
        }
        commands.set(name, action);
        return { dispose: () => commands.delete(name) };
      },
      executeCommand: (name, ...given) => commands.get(name)?.(...given),
      getCommands: async () => [...commands.keys()],
    }),
    window: others({
      activeTextEditor: undefined, visibleTextEditors: [], tabGroups: others({ all: [], close: async () => true }),
      createOutputChannel: () => others({ append() {}, appendLine: line => shown.push({ log: line }), show() {}, clear() {} }),
      showErrorMessage: async message => void shown.push({ error: message }),
      showInformationMessage: async message => void shown.push({ information: message }),
      showWarningMessage: async message => void shown.push({ warning: message }),
      showTextDocument: async document => void shown.push({ document }),
      showOpenDialog: async () => host.chosen,
      createWebviewPanel: (type, title) => {
        const panel = { webview: {}, title };
        shown.push({ panel });
        return panel;
      },
    }),
    workspace: others({
      workspaceFolders: undefined, textDocuments: documents, isTrusted: true, name: undefined,
      notebookDocuments: [], getConfiguration: configuration, getWorkspaceFolder: () => undefined,
      asRelativePath: name => name, createFileSystemWatcher: () => others({}),
      registerTextDocumentContentProvider: (scheme, provider) => ((providers[scheme] = provider), nothing),
      openTextDocument: async uri => makeDocument(uri, providers[uri.scheme].provideTextDocumentContent(uri), 'plaintext'),
    }),
    languages: others({
      match: (selector, document) => [selector].flat().some(one => one.language === document.languageId) ? 10 : 0,
      setTextDocumentLanguage: async (document, language) => Object.assign(document, { languageId: language }),
      createDiagnosticCollection: name => ({
        name, set: (uri, list) => diagnostics.set(uri.toString(), list), delete: uri => diagnostics.delete(uri.toString()),
        clear: () => diagnostics.clear(), dispose() {}, forEach() {}, get: uri => diagnostics.get(uri.toString()), has: () => false,
      }),
    }),
  });
  return { host, shown, commands, diagnostics, events, documents, makeDocument };
}

/** Loads the extension with a host in the place of VS Code. */
function loadExtension(host) {
  const load = Module._load;
  Module._load = function (name, ...rest) {
    return name === 'vscode' ? host : load.call(this, name, ...rest);
  };
  try {
    const file = path.join(__dirname, '..', 'dist', 'extension.js');
    delete require.cache[file];
    return require(file);
  } finally {
    Module._load = load;
  }
}

module.exports = { makeHost, loadExtension };
