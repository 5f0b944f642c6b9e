'use strict';
// Loaded before the start of a bundled client: stores, at the end of the process, the compiled code of each of its scripts in the folder
// RECORDED, with the functions that this process has called and those of an earlier process, whose code is in the folder EARLIER.

const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const vm = require('node:vm');

const { RECORDED, EARLIER } = process.env;
const scripts = new Map();

vm.Script = class extends vm.Script {
  constructor(text, { filename }) {
    const name = basename(filename);
    const earlier = join(EARLIER, name);
    super(text, { filename, cachedData: existsSync(earlier) ? readFileSync(earlier) : undefined });
    scripts.set(name, this);
  }
};

process.on('exit', () => {
  for (const [name, script] of scripts) writeFileSync(join(RECORDED, name), script.createCachedData());
});
