// SPDX-License-Identifier: Apache-2.0
// Fragments of addresses that contain the state of the page: `#z=` and an object as JSON, deflated and in base64 for
// URLs, or `#t=` and only the text of a program, in base64 without compression.
export const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

function base64(bytes) {
  let words = '';
  for (let i = 0; i < bytes.length; i += 0x8000) words += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(words).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

const bytesOf = words => Uint8Array.from(atob(words.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0));

export async function write(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return '#z=' + base64(await through(bytes, new CompressionStream('deflate-raw')));
}

// Returns the object in a fragment, or null if there is none.
export async function read(fragment) {
  try {
    if (fragment.startsWith('#t=')) return {text: new TextDecoder().decode(bytesOf(fragment.slice(3)))};
    if (!fragment.startsWith('#z=')) return null;
    const bytes = await through(bytesOf(fragment.slice(3)), new DecompressionStream('deflate-raw'));
    const state = JSON.parse(new TextDecoder().decode(bytes));
    return typeof state === 'object' && state !== null ? state : null;
  } catch {
    return null;
  }
}
