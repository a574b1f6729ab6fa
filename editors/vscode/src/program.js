// SPDX-License-Identifier: Apache-2.0
// Finds the program `jaxpr`, by the setting, in a Python environment or on the PATH, and runs it. Uses no API of VS
// Code, so that tests run without it.
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const EXTENSION = process.platform === 'win32' ? '.exe' : '';

function isFile(name) {
  try {
    return fs.statSync(name).isFile();
  } catch {
    return false;
  }
}

/** The file on the PATH that has a name, or undefined. */
function onPath(name, environment) {
  return (environment.PATH || '').split(path.delimiter).filter(Boolean)
    .map(folder => path.join(folder, name + EXTENSION)).find(isFile);
}

/** Whether a Python interpreter has the package jaxpr. */
function hasPackage(python) {
  const code = 'import importlib.util as u, sys; sys.exit(u.find_spec("jaxpr") is None)';
  return spawnSync(python, ['-c', code], { timeout: 10000 }).status === 0;
}

/**
 * Finds the program; returns `{ command, args }`, with arguments that precede those of the program, or undefined.
 * `settings` has `path` and `python`; `pythons` are other interpreters to try, `folders` those of the workspace.
 */
function findProgram(settings, { environment = process.env, pythons = [], folders = [] } = {}) {
  if (settings.path) {
    return { command: settings.path, args: [] };
  }
  const bin = process.platform === 'win32' ? 'Scripts' : 'bin';
  const interpreters = [settings.python, ...pythons].filter(Boolean);
  const environments = [environment.VIRTUAL_ENV, environment.CONDA_PREFIX,
    ...folders.flatMap(folder => [path.join(folder, '.venv'), path.join(folder, 'venv')])].filter(Boolean);
  const beside = [...interpreters.map(path.dirname), ...environments.map(folder => path.join(folder, bin))]
    .map(folder => path.join(folder, 'jaxpr' + EXTENSION)).find(isFile);
  if (beside) {
    return { command: beside, args: [] };
  }
  const found = onPath('jaxpr', environment);
  if (found) {
    return { command: found, args: [] };
  }
  const python = [...interpreters, onPath('python3', environment), onPath('python', environment)].filter(Boolean)
    .find(hasPackage);
  return python ? { command: python, args: ['-m', 'jaxpr'] } : undefined;
}

/** Runs the program on a text; resolves with its output, rejects with its error. */
function run(program, args, input) {
  const { execFile } = require('node:child_process');
  return new Promise((resolve, reject) => {
    const child = execFile(program.command, [...program.args, ...args], { maxBuffer: 1 << 30 }, (error, stdout, stderr) => {
      // status 1: there are findings or differences
      if (error && error.code !== 1) {
        reject(new Error(stderr.trim() || error.message));
      } else {
        resolve(stdout);
      }
    });
    child.stdin.on('error', () => {}); // the program may end before it has read everything
    child.stdin.end(input);
  });
}

module.exports = { findProgram, run };
