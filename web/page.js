// SPDX-License-Identifier: Apache-2.0
// The page of the playground: editors on the left, one view of the program on the right. The library writes the views,
// as HTML with escaped names, or as text; the page itself makes no HTML of a program's text.
import {defaultKeymap, history, historyKeymap} from '@codemirror/commands';
import {bracketMatching, foldGutter, foldKeymap, StreamLanguage, syntaxHighlighting, HighlightStyle} from '@codemirror/language';
import {lintGutter, setDiagnostics} from '@codemirror/lint';
import {highlightSelectionMatches, searchKeymap} from '@codemirror/search';
import {EditorState, RangeSetBuilder, StateEffect, StateField} from '@codemirror/state';
import {Decoration, EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers} from '@codemirror/view';
import {tags} from '@lezer/highlight';
import * as fragment from './fragment.js';

const LARGEST_LISTING = 400e3; // characters of a text; for a larger one, only findings are shown, without its listing
const LARGEST_LINK = 64e3; // characters of an address, as many as fit into a comment on GitHub
const MOST_MARKS = 500; // findings that are marked in the editor
const $ = id => document.getElementById(id);
const {samples} = BUNDLE;
const state = {view: 'summary', passes: []};

// ---- the library, in a worker ----

let worker, next = 0, waiting = new Map();
const ask = (message, transfer) => new Promise(resolve => {
  waiting.set(++next, resolve);
  worker.postMessage({id: next, ...message}, transfer || []);
});

async function startWorker() {
  worker = new Worker(URL.createObjectURL(new Blob([BUNDLE.worker], {type: 'text/javascript'})));
  worker.onmessage = ({data}) => {
    waiting.get(data.id)(data);
    waiting.delete(data.id);
  };
  const deflated = Uint8Array.from(atob(BUNDLE.wasm), c => c.charCodeAt(0));
  const wasm = await fragment.through(deflated, new DecompressionStream('deflate-raw'));
  return ask({wasm}, [wasm.buffer]);
}

// ---- editors ----

const words = StreamLanguage.define({
  startState: () => ({primitive: false}),
  token(stream, at) {
    if (at.primitive && stream.match(/[a-zA-Z_][\w.-]*/)) {
      at.primitive = false;
      return 'propertyName';
    }
    at.primitive = !!stream.match(/= (?=[a-zA-Z_])/);
    if (at.primitive) return null;
    if (stream.match(/#.*/)) return 'comment';
    if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/\b(?:lambda|let|in)\b/)) return 'keyword';
    if (stream.match(/:[a-zA-Z_]\w*(?:\[[^\]]*\])?/)) return 'typeName';
    if (stream.match(/-?\d[\w.+-]*/)) return 'number';
    if (!stream.match(/\w+/)) stream.next();
    return null;
  },
});
const colors = HighlightStyle.define([
  {tag: tags.keyword, class: 'tok-k'}, {tag: tags.comment, class: 'tok-n'}, {tag: tags.string, class: 'tok-s'},
  {tag: tags.typeName, class: 'tok-t'}, {tag: tags.number, class: 'tok-s'}, {tag: tags.propertyName, class: 'tok-p'},
]);

// decorations of the lines that differ from the other program
const setChanges = StateEffect.define();
const changedLines = StateField.define({
  create: () => Decoration.none,
  update(lines, transaction) {
    const given = transaction.effects.find(effect => effect.is(setChanges));
    return given ? given.value : lines.map(transaction.changes);
  },
  provide: field => EditorView.decorations.from(field),
});

function paint(view, places) {
  const {doc} = view.state, lines = new Map(), builder = new RangeSetBuilder();
  for (const {kind, line, end_line} of places)
    for (let n = line; n <= Math.min(end_line, doc.lines); n++) lines.set(n, kind);
  for (const n of [...lines.keys()].sort((a, b) => a - b)) {
    const {from} = doc.line(n);
    builder.add(from, from, Decoration.line({class: `mark-${lines.get(n)}`}));
  }
  view.dispatch({effects: setChanges.of(builder.finish())});
}

function editor(place, label) {
  return new EditorView({
    parent: place,
    state: EditorState.create({extensions: [
      lineNumbers(), foldGutter(), history(), drawSelection(), highlightActiveLine(), bracketMatching(),
      highlightSelectionMatches(), lintGutter(), words, syntaxHighlighting(colors), changedLines,
      keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap]),
      EditorView.contentAttributes.of({'aria-label': label}),
      EditorView.updateListener.of(update => update.docChanged && changed()),
    ]}),
  });
}

const first = editor($('first'), 'program'), second = editor($('second'), 'program to compare with');
const textOf = view => view.state.doc.toString();
const put = (view, text) => view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}});

function offset(doc, line, column) {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const units = [...at.text].slice(0, column - 1).join('').length; // columns count code points
  return Math.min(at.from + units, at.to);
}

function mark(findings) {
  const {doc} = first.state;
  const marks = findings.slice(0, MOST_MARKS).filter(f => f.line > 0).map(f => {
    const from = offset(doc, f.line, f.column), to = offset(doc, f.end_line || f.line, f.end_column || f.column + 1);
    return {from, to: Math.max(from, to), severity: f.level === 'note' ? 'info' : f.level,
      message: `${f.message} [${f.code}]`};
  });
  first.dispatch(setDiagnostics(first.state, marks));
}

// ---- views ----

// scrolls drawings that are wider than the page to their middle
const centre = place => place.querySelectorAll('.wide:has(svg)').forEach(wide => {
  wide.scrollLeft = (wide.scrollWidth - wide.clientWidth) / 2;
});
$('output').addEventListener('toggle', e => centre(e.target), true);

const HTML = ['summary', 'check', 'lint', 'graph', 'changes', 'list'];
const COMPARED = ['changes', 'diff'];

function show(view, {error, output, milliseconds}) {
  const out = $('output');
  out.replaceChildren();
  if (error || !output) {
    const line = document.createElement('p');
    line.textContent = error || (view === 'diff' ? 'The programs are equal.' : 'Nothing to show.');
    out.append(line);
  } else if (HTML.includes(view) && output.startsWith('<')) {
    out.innerHTML = output; // the library escapes every name, and the page's policy forbids other scripts
    centre(out);
  } else {
    const text = document.createElement('pre');
    text.textContent = output;
    out.append(text);
  }
  $('status').textContent = `${came}${view}: ${Math.round(milliseconds)} ms`;
}

let busy = false, again = false, came = '', jump = false;

// scrolls to the first line that differs; called for new comparisons, not while the user types
function showFirst(view, places) {
  const lines = places.map(p => p.line), {doc} = view.state;
  if (lines.length === 0) return;
  const {from} = doc.line(Math.min(Math.min(...lines), doc.lines));
  view.dispatch({effects: EditorView.scrollIntoView(from, {y: 'start', yMargin: 40})});
}

async function refresh() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  do {
    again = false;
    const text = textOf(first), view = state.view;
    const large = text.length > LARGEST_LISTING && (view === 'check' || view === 'lint');
    $('output').setAttribute('aria-busy', 'true');
    const compared = COMPARED.includes(view);
    const other = compared ? textOf(second) : view === 'norm' ? state.passes.join(',') : '';
    const answer = await ask({view: large ? 'list' : view, text, other});
    if (large && !answer.output) answer.output = 'No findings.';
    show(view, answer);
    const marks = compared ? await ask({view: 'marks', text, other}) : {};
    const [here, there] = marks.output ? JSON.parse(marks.output) : [[], []];
    if (textOf(first) === text) paint(first, here);
    if (!compared || textOf(second) === other) paint(second, there);
    if (compared && jump) {
      showFirst(first, here);
      showFirst(second, there);
    }
    jump = false;
    const found = await ask({view: 'findings', text});
    let findings = [];
    try {
      findings = JSON.parse(found.output).flatMap(f => f.diagnostics || f);
    } catch { /* no findings */ }
    if (text.length === first.state.doc.length) mark(findings);
    const n = findings.length;
    $('status').textContent += n === 0 ? '; no findings' : `; ${n} finding${n === 1 ? '' : 's'}`;
    await link();
    $('output').setAttribute('aria-busy', 'false');
  } while (again);
  busy = false;
}

async function link() {
  const text = textOf(first), other = COMPARED.includes(state.view) ? textOf(second) : '';
  const at = text.length + other.length > 50 * LARGEST_LINK ? null
    : await fragment.write({view: state.view, text, other, passes: state.passes});
  if (at && at.length <= LARGEST_LINK) window.history.replaceState(null, '', at);
  else $('status').textContent += '; the text is too large for the address';
}

let timer;
function changed() {
  clearTimeout(timer);
  timer = setTimeout(refresh, 250);
}

function choose(view) {
  state.view = view;
  jump = true;
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const chosen = tab.dataset.view === view;
    tab.setAttribute('aria-selected', chosen);
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) $('hint').textContent = tab.dataset.hint;
  }
  $('output').setAttribute('aria-labelledby', `tab-${view}`);
  $('second').hidden = !COMPARED.includes(view);
  $('passes').hidden = view !== 'norm';
  refresh();
}

$('tabs').addEventListener('click', e => e.target.dataset.view && choose(e.target.dataset.view));
$('tabs').addEventListener('keydown', e => {
  const all = [...document.querySelectorAll('[role=tab]')], at = all.indexOf(e.target);
  const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1}[e.key];
  if (to === undefined || at < 0) return;
  const tab = all[(to + all.length) % all.length];
  tab.focus();
  choose(tab.dataset.view);
  e.preventDefault();
});
// selects in the editor the equation or variable that a page calls `m1e12` or `m1v3`
async function reveal(name) {
  const {output} = await ask({view: 'find', text: textOf(first), other: name});
  if (!output) return;
  const p = JSON.parse(output), {doc} = first.state;
  const anchor = offset(doc, p.line, p.column), head = offset(doc, p.end_line, p.end_column);
  first.dispatch({selection: {anchor, head}, effects: EditorView.scrollIntoView(anchor, {y: 'center'})});
  first.focus();
}

// links in a view lead to elements of the view, otherwise to the text; they leave the address, which contains the
// program, unchanged
$('output').addEventListener('click', e => {
  const to = e.target.closest('a[href^="#"]');
  if (!to) return;
  e.preventDefault();
  const name = to.getAttribute('href').slice(1), target = document.getElementById(name);
  if (!target || !$('output').contains(target)) {
    reveal(name);
    return;
  }
  for (let d = target; d; d = d.parentElement) if (d.tagName === 'DETAILS') d.open = true;
  document.querySelectorAll('.lit').forEach(lit => lit.classList.remove('lit'));
  target.classList.add('lit');
  target.scrollIntoView({block: target.tagName === 'DETAILS' ? 'start' : 'center'});
});

// ---- files, samples, link, colours ----

async function open(file) {
  const text = await file.text();
  came = '';
  if (/\.jaxpr(\.txt)?$/.test(file.name)) {
    put(first, text);
    return;
  }
  const found = await ask({view: 'extract', text, other: file.name});
  put(first, found.output || text);
  came = found.output ? `programs of ${file.name}; ` : `no program found in ${file.name}; `;
}

addEventListener('dragover', e => e.preventDefault());
addEventListener('drop', e => {
  e.preventDefault();
  if (e.dataTransfer.files.length) open(e.dataTransfer.files[0]);
}, true);
$('file').addEventListener('change', e => e.target.files.length && open(e.target.files[0]));
// the text with which a sample is compared: its revision, otherwise the print of another version of JAX, otherwise
// itself
function otherVersion(name) {
  const other = Object.keys(samples).find(each => each === `${name}_revised`) ||
    Object.keys(samples).find(each => each !== name && /_jax_/.test(name) && each.split('_jax_')[0] === name.split('_jax_')[0]);
  return samples[other || name];
}
for (const name of Object.keys(samples)) $('samples').append(new Option(name, name));
$('samples').addEventListener('change', e => {
  const name = e.target.value;
  if (!samples[name]) return;
  jump = true;
  put(first, samples[name]);
  put(second, otherVersion(name));
});
$('colours').addEventListener('click', () => {
  const dark = getComputedStyle(document.documentElement).colorScheme.startsWith('dark');
  document.documentElement.dataset.colours = dark ? 'light' : 'dark';
});
$('link').addEventListener('click', async () => {
  await link();
  await navigator.clipboard.writeText(location.href).catch(() => {});
  $('status').textContent = 'the address of this page was copied';
});

async function load() {
  const given = await fragment.read(location.hash);
  const string = (value, other) => typeof value === 'string' ? value : other;
  put(first, string(given && given.text, samples['flax_step']));
  put(second, string(given && given.other, '') || samples['flax_step_revised']);
  state.passes = given && Array.isArray(given.passes) ? given.passes.filter(p => typeof p === 'string') : [];
  for (const box of $('passes').querySelectorAll('input')) box.checked = state.passes.includes(box.value);
  const known = [...document.querySelectorAll('[role=tab]')].map(tab => tab.dataset.view);
  choose(given && known.includes(given.view) ? given.view : given ? 'check' : 'summary');
}

// calls the library while the worker is idle, so that the browser optimizes it before the user enters a text
async function warmUp() {
  while (busy) await new Promise(resolve => setTimeout(resolve, 100));
  await ask({warm: Object.values(samples)});
  document.documentElement.dataset.warm = 'yes';
}

startWorker().then(({style, passes, error}) => {
  if (error) {
    $('status').textContent = error;
    return;
  }
  const sheet = new CSSStyleSheet();
  const [colours] = style.match(/^:root\{[^}]*\}/);
  sheet.replaceSync(`${colours}#output{${style}}`); // nested in #output, so that rules for a whole page match nothing
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const pass of passes) {
    const box = Object.assign(document.createElement('input'), {type: 'checkbox', value: pass});
    box.addEventListener('change', () => {
      state.passes = [...$('passes').querySelectorAll('input:checked')].map(b => b.value);
      refresh();
    });
    const label = document.createElement('label');
    label.append(box, ` ${pass}`);
    $('passes').append(label);
  }
  load();
  addEventListener('hashchange', load);
  warmUp();
  document.documentElement.dataset.ready = 'yes';
});
