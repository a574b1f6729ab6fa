// SPDX-License-Identifier: Apache-2.0
// Gives the program, compiled to WebAssembly, the environment variables of Node.js.
Module['preRun'] = function() {
  Object.assign(ENV, process.env);
};
