import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type BuildOptions, type BuildResult, build, transform } from 'esbuild';
import { compiledSections } from './compiled-sections.ts';

/** Sections above this size are compressed: commands that use them are rare, and every start reads the whole file. */
const PACKED_SIZE = 400_000;

/** The name of the program. */
export const PROGRAM_FILE = 'orchctl.cjs';

/** The end of the comment that holds the sections. */
const END = '*/\n';

/** An import of named exports of a module of Node, as the bundler writes it. */
const builtinImport = /(?<=\bvar import_\w+)=require\(("node:[\w/]+")\)/g;

/** A part of the data: a section, or a group of them. */
interface Part {
  /** From the first section on. */
  readonly offset: number;
  readonly length: number;
}

interface Section extends Part {
  readonly isPacked: boolean;
  /** The group that it belongs to, and its place there. */
  readonly group?: number;
  readonly index?: number;
}

/** A program as one file whose parts are parsed when they are used. */
export interface SectionedProgram {
  readonly metafile: NonNullable<BuildResult['metafile']>;
  /** The files of the program. Sections of one group are loaded together: one piece is read faster than many. */
  files(groups: readonly (readonly string[])[]): Promise<ProgramFiles>;
}

export interface ProgramFiles {
  readonly text: string;
  /** The start of the program as a file next to it, which Node reads faster. */
  readonly start: string;
  /** The compiled code for the Node that runs the build: an optional file next to the program. */
  readonly cacheName: string;
  /** Its bytes; `trained` has the code of some scripts, by name. */
  cache(trained: ReadonlyMap<string, Uint8Array>): Uint8Array;
}

/**
 * Bundles a program into one CommonJS file. Each output of the bundler is a section in a comment at the end of the file; the loader
 * before it evaluates the first one, and others when they are imported. A start parses a small part of the program.
 */
export async function sectionedProgram(options: BuildOptions, entry: string): Promise<SectionedProgram> {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { entry },
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    outdir: 'sections',
    outExtension: { '.js': '.js' },
    legalComments: 'none',
    write: false,
    metafile: true,
  });
  const texts = new Map<string, string>();
  for (const { path, text } of outputFiles) texts.set(basename(path), await asFunction(text));
  return { metafile, files: (groups) => programFiles(texts, groups) };
}

async function programFiles(
  texts: ReadonlyMap<string, string>,
  groups: readonly (readonly string[])[],
): Promise<ProgramFiles> {
  const { sections, parts, data } = packed(texts, groups);
  const id = createHash('sha256').update(data).digest('hex').slice(0, 16);
  const table = { entry: 'entry.js', build: id, size: data.length + END.length, sections, groups: parts };
  const scripts = new Map<string, string>();
  for (const [number, names] of groups.entries())
    scripts.set(`group-${number}`, `[${names.map((name) => texts.get(name)).join(',')},]`);
  for (const [name, { isPacked, group }] of Object.entries(sections))
    if (!isPacked && group === undefined) scripts.set(name, texts.get(name) ?? '');
  return {
    text: `${await loaderText(table, '')}/*${data}${END}`,
    start: await loaderText(table, PROGRAM_FILE),
    cacheName: `orchctl-${process.versions.v8}-${process.arch}.cache`,
    cache: (trained) => compiledSections(id, scripts, trained),
  };
}

/** All sections as one string, and the positions of sections and groups. */
function packed(
  texts: ReadonlyMap<string, string>,
  groups: readonly (readonly string[])[],
): {
  readonly sections: Readonly<Record<string, Section>>;
  readonly parts: readonly Part[];
  readonly data: string;
} {
  const sections: Record<string, Section> = {};
  let data = '';
  const add = (name: string, place: Pick<Section, 'group' | 'index'>): void => {
    const text = texts.get(name) ?? '';
    const isPacked = place.group === undefined && text.length > PACKED_SIZE;
    const stored = isPacked
      ? deflateRawSync(Buffer.from(text, 'latin1'), { level: 9 }).toString('base64')
      : text.replaceAll('*/', '*\x01/');
    sections[name] = { offset: data.length, length: stored.length, isPacked, ...place };
    // Adjacent functions are the elements of an array.
    data += `${stored},`;
  };
  const parts = groups.map((names, group) => {
    const offset = data.length;
    for (const [index, name] of names.entries()) add(name, { group, index });
    return { offset, length: data.length - offset };
  });
  for (const name of texts.keys()) if (sections[name] === undefined) add(name, {});
  return { sections, parts, data };
}

/** An output of the bundler as a function of the variables of a CommonJS module. */
async function asFunction(text: string): Promise<string> {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node22.19',
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
    legalComments: 'none',
  });
  const body = code.replaceAll(builtinImport, '=requireLater($1)');
  return ascii(`(function(exports,require,module,requireLater){${body}})`);
}

/** One byte for each character: offsets match those of the file, and the engine stores the text in one byte each. */
const ascii = (text: string): string =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function loaderText(table: unknown, program: string): Promise<string> {
  const source = readFileSync(join(import.meta.dirname, 'section-loader.cjs'), 'utf8');
  const { code } = await transform(source, {
    define: { TABLE: JSON.stringify(table), PROGRAM: JSON.stringify(program) },
    minifyWhitespace: true,
    legalComments: 'none',
  });
  return code;
}
