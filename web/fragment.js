// SPDX-License-Identifier: Apache-2.0
// A link to what the page shows: after `#z=` an object as JSON, deflated and written in base64 for addresses; after
// `#t=` the text of a program alone, not deflated.
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

// The object of a fragment; null where it is none.
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
