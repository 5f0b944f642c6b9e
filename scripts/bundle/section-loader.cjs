'use strict';
// The start of the bundled client. The sections stand in the comment at the end of the file of the program: Node reads them with that
// file, but only those that a command uses are parsed. A file with this start alone, beside the program, saves that as well. TABLE and
// PROGRAM are defined by the build.

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`orchctl needs Node 22.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}

const { fstatSync, openSync, readSync } = require('node:fs');
const { Script } = require('node:vm');

const table = TABLE;
const loaded = new Map();
const program = PROGRAM === '' ? __filename : __filename.replace(/[^/\\]*$/, PROGRAM);
const file = openSync(program, 'r');
const start = fstatSync(file).size - table.size;
const cache = openCache();

function read(descriptor, position, length) {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
}

/** The compiled code that the build stored beside this file for one version of the engine; undefined without it. */
function openCache() {
  try {
    const path = program.replace(/[^/\\]*$/, `orchctl-${process.versions.v8}-${process.arch}.cache`);
    const descriptor = openSync(path, 'r');
    const head = read(descriptor, 0, 20);
    // The engine compares lengths of texts only: the cache must be that of this build.
    if (head.latin1Slice(0, 16) !== table.build) return undefined;
    const length = head.readUInt32LE(16);
    return { descriptor, first: 20 + length, index: JSON.parse(read(descriptor, 20, length).latin1Slice()) };
  } catch {
    return undefined;
  }
}

function cachedData(name) {
  const entry = cache?.index[name];
  return entry && read(cache.descriptor, cache.first + entry[0], entry[1]);
}

/** The source text of a section. */
function textOf({ offset, length, isPacked }) {
  const text = read(file, start + offset, length).latin1Slice();
  if (!isPacked) return text.replaceAll('*\x01/', '*/');
  return require('node:zlib').inflateRawSync(Buffer.from(text, 'base64')).latin1Slice();
}

const groups = [];

/** The function of a section. Sections of a group are evaluated together. */
function functionOf(name) {
  const section = table.sections[name];
  if (section.group === undefined) return evaluated(name, textOf(section));
  groups[section.group] ??= evaluated(`group-${section.group}`, `[${textOf(table.groups[section.group])}]`);
  return groups[section.group][section.index];
}

function evaluated(name, text) {
  const script = new Script(text, { filename: `orchctl/${name}`, cachedData: cachedData(name) });
  return script.runInThisContext();
}

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  functionOf(name)(module.exports, requireSection, module, requireLater);
  return module.exports;
}

/** A module of Node that is loaded when one of its exports is used. */
function requireLater(specifier) {
  return new Proxy({}, { get: (_, name) => require(specifier)[name] });
}

function requireSection(specifier) {
  return specifier.startsWith('./') ? load(specifier.slice(2)) : require(specifier);
}

load(table.entry);
