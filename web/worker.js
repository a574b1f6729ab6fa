// SPDX-License-Identifier: Apache-2.0
// The library at work beside the page, so that a large text does not freeze it. Messages are {id, view, text, other};
// each is answered by {id, status, error, output, milliseconds}. The first holds the bytes of the library.
let library;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

// The address of bytes with a NUL after them, and how many they are without it.
function copied(words) {
  const bytes = encoder.encode(words);
  const at = library._malloc(bytes.length + 1);
  if (!at) throw new Error('out of memory');
  library.HEAPU8.set(bytes, at);
  library.HEAPU8[at + bytes.length] = 0;
  return [at, bytes.length];
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
    const status = run(data.view, data.text, data.other || '');
    const error = status === 0 ? '' : library.UTF8ToString(library._playground_status(status));
    postMessage({id: data.id, status, error, output: answer(), milliseconds: performance.now() - begun});
  } catch (e) {
    postMessage({id: data.id, status: -1, error: String(e.message || e), output: '', milliseconds: 0});
  }
};
