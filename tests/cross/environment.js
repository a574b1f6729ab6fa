// SPDX-License-Identifier: Apache-2.0
// The program as WebAssembly, run by Node.js, has the environment of Node.js.
Module['preRun'] = function() {
  Object.assign(ENV, process.env);
};
