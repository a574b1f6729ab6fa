// SPDX-License-Identifier: Apache-2.0
// Runs the library in a worker, so that a large text does not block the page. The first message, {id, wasm}, has the
// bytes of the library. Replies to {id, view, text, other} are {id, status, error, output, milliseconds}. {id, warm}
// has texts for warmUp.
let library;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

// Copies a string into the library's memory, as UTF-8 with a NUL; returns its address and its size without the NUL. The
// caller frees it. `room` is for ASCII first, which most texts are; a unit of UTF-16 takes at most three bytes.
function copied(words, room = words.length) {
  const at = library._malloc(room + 1);
  if (!at) throw new Error('out of memory');
  const {read, written} = encoder.encodeInto(words, library.HEAPU8.subarray(at, at + room));
  if (read < words.length) {
    library._free(at);
    return copied(words, 3 * words.length);
  }
  library.HEAPU8[at + written] = 0;
  return [at, written];
}

const answer = () => {
  const at = library._playground_answer();
  return decoder.decode(library.HEAPU8.subarray(at, at + library._playground_size()));
};

function run(view, text, other) {
  const [name] = copied(view), [at, n] = copied(text), [second, m] = copied(other);
  const status = library._playground_run(name, at, n, second, m);
  for (const each of [name, at, second]) library._free(each);
  return status;
}

// Computes every view of some texts a few times, as browsers compile functions at their first call and optimize those
// that are called often. Messages that arrive meanwhile wait for at most one view.
const WARM = ['summary', 'check', 'lint', 'fmt', 'norm', 'graph', 'changes', 'diff', 'marks', 'sig', 'findings'];
const COMPARED = ['changes', 'diff', 'marks'], ROUNDS = 6;
async function warmUp(texts) {
  const {port1, port2} = new MessageChannel(), turn = () => new Promise(resolve => {
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, text] of texts.entries())
      for (const view of WARM) {
        run(view, text, COMPARED.includes(view) ? texts[(i + 1) % texts.length] : '');
        await turn();
      }
}

async function start(wasm) {
  library = await playground({wasmBinary: wasm});
  library._playground_page();
  const passes = [];
  for (let i = 0, at; (at = library._playground_pass(i)) !== 0; i++) passes.push(library.UTF8ToString(at));
  return {style: answer().match(/<style>([^]*?)<\/style>/)[1], passes};
}

onmessage = async ({data}) => {
  const begun = performance.now();
  try {
    if (data.wasm) {
      postMessage({id: data.id, ...await start(data.wasm)});
      return;
    }
    if (data.warm) {
      await warmUp(data.warm);
      postMessage({id: data.id});
      return;
    }
    const status = run(data.view, data.text, data.other || '');
    const error = status === 0 ? '' : library.UTF8ToString(library._playground_status(status));
    postMessage({id: data.id, status, error, output: answer(), milliseconds: performance.now() - begun});
  } catch (e) {
    postMessage({id: data.id, status: -1, error: String(e.message || e), output: '', milliseconds: 0});
  }
};
