'use strict';
// Loaded before the start of a bundled client: stores, at the end of the process, the compiled code of each of its scripts in the folder
// RECORDED_SECTIONS, with the functions that this process and earlier ones have called.

const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const vm = require('node:vm');

const scripts = new Map();

vm.Script = class extends vm.Script {
  constructor(text, { filename }) {
    const path = join(process.env.RECORDED_SECTIONS, basename(filename));
    super(text, { filename, cachedData: existsSync(path) ? readFileSync(path) : undefined });
    scripts.set(path, this);
  }
};

process.on('exit', () => {
  for (const [path, script] of scripts) writeFileSync(path, script.createCachedData());
});
